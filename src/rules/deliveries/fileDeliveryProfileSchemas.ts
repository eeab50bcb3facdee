/** What a delivery profile says of its target (spec 4.3 `relftp`): checked when it is written, and read the same way. */
import * as z from 'zod';
import type { Delimiter } from './csvLine.ts';

const delimiter = z.enum([',', ';', '\t'] satisfies Delimiter[]).default(',');

/** Nothing that would end a path, or a line of a log. */
const visible = (max: number) =>
  z
    .string()
    .max(max)
    // oxlint-disable-next-line no-control-regex -- they are what is refused
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not contain control characters');

/** Parts of a path below the account's own folder. */
const below = visible(200)
  .transform((path) => path.split('/').filter((part) => part !== ''))
  .refine(
    (parts) => parts.every((part) => part !== '.' && part !== '..' && !part.includes('\\')),
    'must stay below the account’s folder: no "..", no "\\"',
  )
  .transform((parts) => parts.join('/'));

const folder = z.strictObject({
  /** Below the account's folder; empty: that folder itself. */
  folder: below.default(''),
  delimiter,
});

const host = visible(253).regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an address');

const sftp = z.strictObject({
  host,
  port: z.int().min(1).max(65_535).default(22),
  user: visible(100).min(1),
  /** On the server: from its root, or from where a login begins. */
  folder: visible(500).default(''),
  /** `SHA256:…`, as `ssh-keygen -lf` prints it. Absent: any key is believed. */
  host_key: z
    .string()
    .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'must be SHA256:… as ssh-keygen -lf prints it')
    .optional(),
  delimiter,
});

const ftps = z.strictObject({
  host,
  port: z.int().min(1).max(65_535).default(21),
  /** TLS from the first byte (port 990), as some old servers want it; else it is asked for (AUTH TLS). */
  implicit: z.boolean().default(false),
  user: visible(100).min(1),
  folder: visible(500).default(''),
  /** SHA-256 fingerprint of the server's certificate, for one that no authority has signed. */
  certificate: z
    .string()
    .transform((print) => print.replaceAll(':', '').toUpperCase())
    .pipe(z.string().regex(/^[0-9A-F]{64}$/, 'must be the SHA-256 fingerprint, 32 pairs of hex digits'))
    .optional(),
  delimiter,
});

const s3 = z.strictObject({
  /** Without a path: `https://s3.example.com`. */
  endpoint: visible(300).regex(/^https?:\/\/[^/?#@\s]+\/?$/, 'must be http(s)://host[:port]'),
  region: visible(60).min(1).default('us-east-1'),
  bucket: z.string().regex(/^[A-Za-z0-9._-]{3,63}$/, 'must be the name of a bucket'),
  /** Before the file's name. */
  folder: below.default(''),
  delimiter,
});

export type FolderDeliverySettings = z.output<typeof folder>;
export type SftpSettings = z.output<typeof sftp>;
export type FtpsSettings = z.output<typeof ftps>;
export type S3Settings = z.output<typeof s3>;

/** The settings of each kind of target. */
export const deliverySettingsSchemas = { folder, sftp, ftps, s3 } as const;
export type DeliveryProfileKind = keyof typeof deliverySettingsSchemas;

/** What opens an SFTP target: a password, or a private key in PEM or OpenSSH form. */
const sftpSecret = z
  .strictObject({
    password: z.string().min(1).max(1_000).optional(),
    private_key: z.string().min(1).max(20_000).optional(),
    passphrase: z.string().max(1_000).optional(),
  })
  .refine(
    ({ password, private_key }) => (password === undefined) !== (private_key === undefined),
    'must have either password or private_key',
  );
const ftpsSecret = z.strictObject({ password: z.string().min(1).max(1_000) });

const s3Secret = z.strictObject({
  access_key: visible(200).min(1),
  secret_key: z.string().min(1).max(1_000),
});

export type SftpSecret = z.output<typeof sftpSecret>;
export type FtpsSecret = z.output<typeof ftpsSecret>;
export type S3Secret = z.output<typeof s3Secret>;

/** What opens each kind of target that is not open already. */
export const fileDeliverySecretSchemas = { sftp: sftpSecret, ftps: ftpsSecret, s3: s3Secret } as const;
export type DeliveryProfileSecret = SftpSecret | FtpsSecret | S3Secret;

/** What a profile's secret belongs to (`lib/secretBox.ts`). */
export const deliverySecretSealContext = (account: number, profile: number): string =>
  `delivery profile ${account}/${profile}`;
