/** Signatures of Standard Webhooks: what a receiver needs to know that a callback is ours. */
import { createHmac, type Hmac, randomBytes } from 'node:crypto';

/** How a secret begins. */
export const SECRET_PREFIX = 'whsec_';

/** A new secret: 24 random bytes, as receivers' libraries want it. */
export const newWebhookSecret = (): string => SECRET_PREFIX + randomBytes(24).toString('base64');

/** Whether a text is a secret that can be read, and no sealed one. */
export const isWebhookSecret = (text: string): boolean => text.startsWith(SECRET_PREFIX);

/**
 * `webhook-signature` over id, timestamp (seconds) and body: one signature for each secret (`whsec_…`), so that the
 * receiver may hold any of them. `body`: pieces of it in order; the empty body has none.
 */
export const webhookSignature = async (
  secrets: readonly string[],
  { id, timestamp }: { id: string; timestamp: number },
  body: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Promise<string> => {
  const signers = secrets.map(signerOf);
  const all = (piece: string | Uint8Array) => signers.forEach((signer) => signer.update(piece));
  all(`${id}.${timestamp}.`);
  for await (const piece of body) all(piece);
  return signers.map((signer) => `v1,${signer.digest('base64')}`).join(' ');
};

const signerOf = (secret: string): Hmac =>
  createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'));
