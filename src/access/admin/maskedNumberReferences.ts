/**
 * What stands for a number in addresses and cursors of who sees numbers masked: the number sealed, the same each time, so
 * that a page can compare two of them. Only this installation opens it.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { parseSecretKeys } from '../../lib/secretKeys.ts';

export interface MaskedNumberReferences {
  /** `~` and letters, digits, `-` and `_`: it needs no escaping in an address. */
  write(text: string): string;
  /** A text with every reference in it replaced by what `put` makes of what it stands for; others stay. */
  resolve(text: string, put?: (text: string) => string): string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Of a nonce, a tag and a letter at least. */
const shape = /~[\w-]{39,1000}/g;

/** `secret`: `SECRET_KEY`. The first of its keys seals, all of them open. */
export const createMaskedNumberReferences = (secret: string): MaskedNumberReferences => {
  const keys = parseSecretKeys(secret).map((key) =>
    Buffer.from(hkdfSync('sha256', key, '', 'number references', 64)),
  );
  return {
    write: (text) => `~${seal(keys[0]!, text).toString('base64url')}`,
    resolve: (text, put = (one) => one) =>
      text.replaceAll(shape, (reference) => {
        const opened = openWith(keys, Buffer.from(reference.slice(1), 'base64url'));
        return opened === undefined ? reference : put(opened);
      }),
  };
};

/** The nonce is made of the text: one text has one, and no two texts share it. */
const seal = (key: Buffer, text: string): Buffer => {
  const nonce = createHmac('sha256', key.subarray(32)).update(text).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.subarray(0, 32), nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
};

const openWith = (keys: readonly Buffer[], sealed: Buffer): string | undefined => {
  for (const key of keys)
    try {
      return opened(key, sealed);
    } catch {
      // Another key sealed it, or it is no reference.
    }
  return undefined;
};

const opened = (key: Buffer, sealed: Buffer): string => {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key.subarray(0, 32), nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const body = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([body, decipher.final()]).toString('utf8');
};
