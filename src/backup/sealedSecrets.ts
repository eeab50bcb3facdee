/** The secrets of an installation in a backup: sealed with a passphrase, or not there at all. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { z } from 'zod';
import type { GivenSecrets } from '../loadOrCreateSecrets.ts';

export type BackedUpSecrets = Partial<GivenSecrets>;

/** So that a stolen archive is not opened by trying words. */
export const MIN_BACKUP_PASSPHRASE_LENGTH = 12;

/** 128 MB and a good part of a second for each try of a thief. */
const cost = { N: 131_072, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

const sealedForm = z.object({
  kdf: z.literal('scrypt-131072-8-1'),
  cipher: z.literal('aes-256-gcm'),
  salt: z.base64(),
  nonce: z.base64(),
  tag: z.base64(),
  data: z.base64(),
});

const secretsForm = z.object({
  adminToken: z.string().optional(),
  secretKey: z.string().optional(),
  demoToken: z.string().optional(),
});

/** A key made of the passphrase. Takes a good part of a second. */
export interface PassphraseKey {
  salt: Buffer;
  key: Buffer;
}

export const derivePassphraseKey = (
  passphrase: string,
  salt: Buffer = randomBytes(16),
): Promise<PassphraseKey> =>
  new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, 32, cost, (error, key) =>
      error ? reject(error) : resolve({ salt, key }),
    ),
  );

/** `about`: the digest of what stands before them in the archive, so that they open with that only. */
export const sealBackupSecrets = (
  secrets: BackedUpSecrets,
  { salt, key }: PassphraseKey,
  about: string,
): Buffer => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(about));
  const data = Buffer.concat([cipher.update(JSON.stringify(secrets)), cipher.final()]);
  const texts = { salt, nonce, tag: cipher.getAuthTag(), data };
  const sealed = Object.entries(texts).map(([name, bytes]) => [name, bytes.toString('base64')]);
  return Buffer.from(
    JSON.stringify({
      ...{ kdf: 'scrypt-131072-8-1', cipher: 'aes-256-gcm' },
      ...Object.fromEntries(sealed),
    }),
  );
};

/** Undefined: the passphrase does not open them, or they were altered. */
export const openBackupSecrets = async (
  sealed: Buffer,
  passphrase: string,
  about: string,
): Promise<BackedUpSecrets | undefined> => {
  const read = sealedForm.safeParse(parsed(sealed));
  if (!read.success) return undefined;
  const [salt, nonce, tag, data] = [read.data.salt, read.data.nonce, read.data.tag, read.data.data].map(
    (text) => Buffer.from(text, 'base64'),
  ) as [Buffer, Buffer, Buffer, Buffer];
  if (tag.length !== 16 || nonce.length !== 12) return undefined;
  const { key } = await derivePassphraseKey(passphrase, salt);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about)).setAuthTag(tag);
    const opened = Buffer.concat([decipher.update(data), decipher.final()]);
    return secretsForm.parse(parsed(opened));
  } catch {
    return undefined;
  }
};

const parsed = (json: Buffer): unknown => {
  try {
    return JSON.parse(json.toString('utf8'));
  } catch {
    return undefined;
  }
};
