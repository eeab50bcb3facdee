/**
 * The format of a backup: a tar, compressed by gzip, that can be read without Ramal.
 *
 *   ramal-backup.json                 what it is: release, times, migrations, tables with their columns
 *   rows/<place>/<table>/<part>.copy  rows as `COPY … TO STDOUT` writes them; parts put together are one text
 *   media/<account>/<file>            files of the media folder
 *   secrets.json                      sealed with a passphrase; only where one was given
 *   manifest.json                     rows, bytes and SHA-256 of each table, and the digest of all before
 *
 * A place is one schema of one database. The manifest is written last: an archive without it is not whole.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';

export const ARCHIVE_FORMAT_VERSION = 1;
export const BACKUP_HEADER_FILE = 'ramal-backup.json';
export const BACKUP_SECRETS_FILE = 'secrets.json';
export const BACKUP_MANIFEST_FILE = 'manifest.json';

const count = z.number().int().min(0);
const identifier = z.string().min(1).max(63);

const place = z.object({
  /** Whether the control data is here. */
  control: z.boolean(),
  /** Names of the shards that are here. */
  shards: z.array(z.string().max(16)),
  /** When its snapshot was taken, on the database's clock, epoch milliseconds. */
  at: count,
  server: z.object({ version: z.string(), systemIdentifier: z.string() }),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(z.object({ name: identifier, columns: z.array(identifier) })).min(1),
  sequences: z.array(z.object({ name: identifier, value: z.string(), called: z.boolean() })),
});

const header = z.object({
  format: z.literal('ramal-backup'),
  version: z.number().int(),
  /** The release that made it. */
  release: z.string(),
  /** When it was begun, epoch milliseconds. */
  at: count,
  places: z.array(place).min(1),
  /** `folder`: those of DATA_DIR follow. `bucket`: they live elsewhere, and are not here. */
  media: z.enum(['folder', 'bucket']),
  /** Whether sealed secrets follow. */
  secrets: z.boolean(),
});

const tally = z.object({ rows: count, bytes: count, sha256: z.string() });

const manifest = z.object({
  /** For each place, in the order of the header: its tables by name. */
  places: z.array(z.record(z.string(), tally)),
  media: z.object({ files: count, bytes: count }),
  /** When it was whole, epoch milliseconds. */
  endedAt: count,
  /** `ArchiveHasher` of everything before. */
  sha256: z.string(),
});

export type BackupSchemaHeader = z.infer<typeof place>;
export type BackupHeader = z.infer<typeof header>;
/** Of one table: its rows, their text in bytes, and the SHA-256 of that. */
export type TableTally = z.infer<typeof tally>;
export type BackupManifest = z.infer<typeof manifest>;

/** Undefined: it is none of ours. */
export const parseArchiveHeader = (json: string): BackupHeader | undefined => read(header, json);

/** Undefined: it is none. */
export const parseBackupManifest = (json: string): BackupManifest | undefined => read(manifest, json);

const read = <T>(schema: z.ZodType<T>, json: string): T | undefined => {
  try {
    return schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
};

/** Where a part of a table's rows stands. `place`: its index in the header; `part`: from 0. */
export const tableRowsFileName = (index: number, table: string, part: number): string =>
  `rows/${index}/${table}/${String(part).padStart(6, '0')}.copy`;

export type BackupFileEntry =
  | { kind: 'header' | 'secrets' | 'manifest' | 'unknown' }
  | { kind: 'rows'; place: number; table: string }
  | { kind: 'media'; account: number; file: string };

/** What a file of an archive is, by its name. */
export const parseArchiveEntryName = (name: string): BackupFileEntry => {
  if (name === BACKUP_HEADER_FILE) return { kind: 'header' };
  if (name === BACKUP_SECRETS_FILE) return { kind: 'secrets' };
  if (name === BACKUP_MANIFEST_FILE) return { kind: 'manifest' };
  const rows = /^rows\/(\d{1,4})\/([^/]{1,63})\/\d+\.copy$/.exec(name);
  if (rows) return { kind: 'rows', place: Number(rows[1]), table: rows[2]! };
  const media = /^media\/(\d{1,15})\/([^/]{1,140})$/.exec(name);
  return media ? { kind: 'media', account: Number(media[1]), file: media[2]! } : { kind: 'unknown' };
};

/** What an archive holds in its order: names, sizes and contents of its files. */
export class ArchiveHasher {
  readonly #hash = createHash('sha256');

  begin(name: string, size: number): void {
    this.#hash.update(`${name} ${size}\n`);
  }

  update(bytes: Buffer): void {
    this.#hash.update(bytes);
  }

  /** Of all until now, hexadecimal. */
  hex(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** `control and shard a`, for people. */
export const formatControlAndShardNames = ({
  control,
  shards,
}: Pick<BackupSchemaHeader, 'control' | 'shards'>): string => {
  const named = shards.length === 0 ? [] : [`shard${shards.length > 1 ? 's' : ''} ${shards.join(', ')}`];
  return [...(control ? ['control'] : []), ...named].join(' and ');
};
