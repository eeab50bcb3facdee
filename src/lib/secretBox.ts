/** Credentials at rest: AES-256-GCM under a key of our own. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { parseSecretKeys } from './secretKeys.ts';

/** Seals and opens texts. What they belong to (`about`) is sealed with them, so that none can be moved elsewhere. */
export interface SecretBox {
  /** Another text every time. */
  seal(text: string, about: string): string;
  /** Throws `RangeError` for what another key sealed, what belongs to something else, and what is broken. */
  open(sealed: string, about: string): string;
  /** What an older key sealed, sealed by the first one; undefined: it is already. Throws as `open`. */
  reseal(sealed: string, about: string): string | undefined;
}

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `secret`: `SECRET_KEY`, keys of any length (`secretKeys.ts`); `purpose` keeps keys for different things apart. */
export const secretBoxOf = (secret: string, purpose: string): SecretBox => {
  const keys = parseSecretKeys(secret).map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)));
  const first = keys[0]!;

  const seal = (text: string, about: string): string => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', first, nonce).setAAD(Buffer.from(about));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
  };

  const openWith = (sealed: string, about: string): { text: string; key: Buffer } => {
    let cause: unknown;
    for (const key of keys)
      try {
        return { text: opened(key, sealed, about), key };
      } catch (error) {
        cause = error;
      }
    throw new RangeError('what is sealed cannot be opened: SECRET_KEY is another, or it was moved', {
      cause,
    });
  };

  return {
    seal,
    open: (sealed, about) => openWith(sealed, about).text,
    reseal: (sealed, about) => {
      const { text, key } = openWith(sealed, about);
      return key === first ? undefined : seal(text, about);
    },
  };
};

const opened = (key: Buffer, sealed: string, about: string): string => {
  const [version, text = ''] = sealed.split('.');
  if (version !== VERSION) throw new RangeError(`${version} is no version of ours`);
  const bytes = Buffer.from(text, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(about)).setAuthTag(tag);
  const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([body, decipher.final()]).toString('utf8');
};
