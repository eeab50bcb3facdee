/** `ramal backup`: databases, media and secrets of this installation in one archive, beside a service that goes on. */
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Pool } from 'pg';
import {
  type BackupHeader,
  type BackupManifest,
  formatControlAndShardNames,
  ARCHIVE_FORMAT_VERSION,
} from './format.ts';
import { readMediaFolderFiles } from './readMediaFolder.ts';
import { type DatabaseSchemaLocation, listDatabaseSchemaLocations } from './databaseSchemaLocations.ts';
import { derivePassphraseKey, sealBackupSecrets } from './sealedSecrets.ts';
import { openDatabaseSnapshots, type OpenBackupSnapshots } from './openSnapshotTransactions.ts';
import { streamBackupArchive, type BackupProgressListener } from './streamArchive.ts';
import type { Config } from '../config.ts';
import { readExistingSecrets } from '../loadOrCreateSecrets.ts';
import { requireEmbeddedDatabaseMade } from '../store/embedded/isMade.ts';
import { startEmbeddedPostgres } from '../store/embedded.ts';
import { openDatabasePool } from '../store/pool.ts';
import { createDatabaseInEmbeddedServer } from '../store/prepareDatabases.ts';

export interface BackupRequest {
  /** A folder, which is made when it is not there, or a pipe, which is not ended. */
  to: { folder: string } | { pipe: Writable };
  /** Seals the secrets; undefined: they are left out. */
  passphrase: string | undefined;
  /** Of this package, e.g. `1.2.0`. */
  release: string;
  listener: BackupProgressListener;
  /** Breaks it off. */
  signal?: AbortSignal;
  /** Epoch milliseconds. Default: the clock. */
  now?: () => number;
}

export interface BackupReport {
  /** Undefined: it went through a pipe. */
  file: string | undefined;
  /** Of the archive. */
  bytes: number;
  /** Each schema with its rows and when its snapshot was taken, epoch milliseconds on its database's clock. */
  places: { name: string; at: number; rows: number }[];
  /** Of DATA_DIR; `bucket`: they live in a bucket, and were not read. */
  media: BackupManifest['media'] | 'bucket';
  /** Whether the archive holds the secrets. */
  secrets: boolean;
}

/** As fast as rows are read, and half of what slower levels leave. */
const gzipLevel = 3;

/** Makes one. Throws a sentence when it cannot; then there is no file that looks like one. */
export const takeBackup = (config: Config, request: BackupRequest): Promise<BackupReport> =>
  runWithControlDatabaseUrl(config, 'there', async (url) => {
    const { passphrase, now = Date.now } = request;
    // It takes its time, which no snapshot is to wait for.
    const key = passphrase === undefined ? undefined : await derivePassphraseKey(passphrase);
    const secrets = key && readExistingSecrets(config.dataDir, config.given);
    const snapshots = await openDatabaseSnapshots(
      listDatabaseSchemaLocations({ url, shards: config.shards }),
      openSingleConnectionPool('ramal backup'),
    );
    try {
      const header = headerOf(config, snapshots, request);
      let manifest: BackupManifest | undefined;
      const content = streamBackupArchive(
        {
          ...{ header, places: snapshots.places, listener: request.listener, now },
          media: config.s3 ? nothing() : readMediaFolderFiles(join(config.dataDir, 'media')),
          seal: key && secrets && ((about) => sealBackupSecrets(secrets, key, about)),
        },
        (whole) => (manifest = whole),
      );
      const written = await write(content, header, request);
      return { ...written, ...reportOf(header, manifest!) };
    } finally {
      await snapshots.close();
    }
  });

/**
 * The address of the control data's database, while it is used. `there`: an embedded one must have been made already;
 * `new`: it may be made.
 */
export const runWithControlDatabaseUrl = async <T>(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  standing: 'there' | 'new',
  use: (url: string) => Promise<T>,
): Promise<T> => {
  if (config.databaseUrl !== undefined) return use(config.databaseUrl);
  if (standing === 'there') requireEmbeddedDatabaseMade(config);
  const server = await startEmbeddedPostgres({ dataDir: config.dataDir });
  try {
    return await use(await createDatabaseInEmbeddedServer(server.url));
  } finally {
    await server.stop();
  }
};

/** One connection to a place, under a name that the server shows. */
export const openSingleConnectionPool =
  (applicationName: string) =>
  ({ url, schema }: DatabaseSchemaLocation): Pool =>
    openDatabasePool(
      { name: schema, url, schema },
      { applicationName, maxConnections: 1, statementTimeoutMs: 0 },
    );

const headerOf = (
  { s3 }: Config,
  { places }: OpenBackupSnapshots,
  { release, passphrase, now = Date.now }: BackupRequest,
): BackupHeader => ({
  ...{ format: 'ramal-backup', version: ARCHIVE_FORMAT_VERSION, release, at: now() },
  places: places.map(({ header }) => header),
  media: s3 ? 'bucket' : 'folder',
  secrets: passphrase !== undefined,
});

const reportOf = (header: BackupHeader, manifest: BackupManifest): Omit<BackupReport, 'file' | 'bytes'> => ({
  places: header.places.map((place, i) => ({
    ...{ name: formatControlAndShardNames(place), at: place.at },
    rows: sumBackedUpRows(manifest.places[i]!),
  })),
  media: header.media === 'bucket' ? 'bucket' : manifest.media,
  secrets: header.secrets,
});

/** Of all tables of a place. */
export const sumBackedUpRows = (tallies: BackupManifest['places'][number]): number =>
  Object.values(tallies).reduce((sum, { rows }) => sum + rows, 0);

async function* nothing(): AsyncGenerator<never> {}

const write = async (
  content: AsyncIterable<Buffer>,
  { at }: BackupHeader,
  { to, signal }: BackupRequest,
): Promise<{ file: string | undefined; bytes: number }> => {
  const gzip = createGzip({ level: gzipLevel });
  const counter = counting();
  const options = { ...(signal && { signal }) };
  if ('pipe' in to) {
    await pipeline(content, gzip, counter.stream, to.pipe, { ...options, end: false });
    return { file: undefined, bytes: counter.bytes() };
  }
  await mkdir(to.folder, { recursive: true, mode: 0o700 });
  const file = join(to.folder, `ramal-${new Date(at).toISOString().replaceAll(':', '-')}.tar.gz`);
  // Under a name of its own until it is whole and on the disk.
  const partial = `${file}.partial`;
  try {
    const sink = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(content, gzip, counter.stream, sink, options);
    await rename(partial, file);
    await syncFolder(to.folder);
    return { file, bytes: counter.bytes() };
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
};

const counting = (): { stream: Transform; bytes(): number } => {
  let bytes = 0;
  const stream = new Transform({
    transform: (chunk: Buffer, _, done) => {
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, bytes: () => bytes };
};

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
