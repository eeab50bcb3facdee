/** Whether a hook comes from whom it says: the upstream signs the body, byte by byte, with the app secret of the line. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** `header`: `X-Hub-Signature-256`, `sha256=` and 64 hexadecimal digits. Compared in constant time. */
export const isHookSignatureValid = (rawBody: Buffer, header: string, appSecret: string): boolean => {
  const [, hex = ''] = /^sha256=([0-9a-f]{64})$/i.exec(header.trim()) ?? [];
  const expected = createHmac('sha256', appSecret).update(rawBody).digest();
  const given = Buffer.from(hex, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
};

/** Whether two secrets are the same, in a time that tells nothing of either. */
export const isSameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
