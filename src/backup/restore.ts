/** `ramal restore`: a backup into databases and a folder that hold nothing, and its shards closed. */
import { join } from 'node:path';
import { markRestoredShardsClosed } from './closeRestoredShards.ts';
import {
  qualifiedSqlName,
  refuseUnknownMigrations,
  readTablesOfDatabaseSchema,
} from './databaseSchemaCatalogue.ts';
import { parseArchiveEntryName, type BackupSchemaHeader, formatControlAndShardNames } from './format.ts';
import {
  beginSchemaRestore,
  verifyRestoredTables,
  finishSchemaRestore,
  type SchemaRestore,
  BackupRowLoader,
} from './loadArchiveIntoDatabases.ts';
import {
  type ConnectedDatabases,
  connectToDatabases,
  type DatabaseSchemaLocation,
  listDatabaseSchemaLocations,
} from './databaseSchemaLocations.ts';
import { type CheckedArchive, verifyBackupArchive, readArchiveFiles } from './checkAndReadArchive.ts';
import { type BackedUpSecrets, openBackupSecrets } from './sealedSecrets.ts';
import { matchBackupSchemasToSettings, refuseUnlessEmpty } from './restoreTarget.ts';
import type { Config } from '../config.ts';
import { idOfFileName } from '../providers/contracts/media.ts';
import {
  readExistingSecrets,
  differingSecretFiles,
  writeRestoredSecretFiles,
} from '../loadOrCreateSecrets.ts';
import { isEmbeddedDatabaseInUse } from '../store/embedded/processesUsingDatabase.ts';
import { doesSecretKeyMatchDatabase } from '../store/secretKeyCheckRow.ts';
import { migrate } from '../store/migrate.ts';
import { maintainHistoryPartitions } from '../store/historyPartitions.ts';
import { openSingleConnectionPool, sumBackedUpRows, runWithControlDatabaseUrl } from './takeBackup.ts';
import { openMediaStore } from '../providers/media/openMediaStore.ts';
import { listMigrations } from '../store/listMigrations.ts';

export interface RestoreRequest {
  /** The archive. */
  path: string;
  /** Secrets that the archive holds are left out. */
  withoutSecrets: boolean;
  /** Opens them; asked only where they are needed. Undefined: there is none. */
  passphrase(): Promise<string | undefined>;
  /** Hears what is done, and how much of it, of how much. */
  progress(what: string, done: number, of: number): void;
  /** Breaks it off, as long as none of its rows is visible. */
  signal?: AbortSignal;
}

export interface RestoreReport {
  /** Of the archive: the release that made it, and when it was begun, epoch milliseconds. */
  release: string;
  at: number;
  places: { name: string; at: number; tables: number; rows: number }[];
  media: { files: number; bytes: number } | 'bucket';
  /** Files of DATA_DIR that hold them now. */
  secrets: string[];
  /** Whether the SECRET_KEY of these settings opens what the backup's rows hold. */
  secretKey: 'fits' | 'another' | 'absent';
  /** Whether the shards could be closed: releases before know no such state. */
  closed: boolean;
}

/** Restores it. Throws a sentence when it cannot; what was changed by then holds no rows. */
export const restoreBackup = async (config: Config, request: RestoreRequest): Promise<RestoreReport> => {
  const { progress, signal } = request;
  const archive = await verifyBackupArchive(
    request.path,
    (read, of) => progress('looking it over', read, of),
    signal,
  );
  for (const { migrations } of archive.header.places) refuseUnknownMigrations(migrations, 'the backup');
  const secrets = await secretsOf(archive, config, request);
  const { dataDir } = config;
  if (config.databaseUrl === undefined && isEmbeddedDatabaseInUse(join(dataDir, 'postgres', 'users')))
    throw new Error(`a service runs on ${dataDir}: stop it first, or name another DATA_DIR`);
  return runWithControlDatabaseUrl(config, 'new', async (url) => {
    const places = listDatabaseSchemaLocations({ url, shards: config.shards });
    const connected = await connectToDatabases(places, openSingleConnectionPool('ramal restore'));
    let loaded: Awaited<ReturnType<typeof load>>;
    try {
      loaded = await load(archive, connected, config, secrets, request);
    } finally {
      await connected.close();
    }
    const at = Date.now();
    let closed = true;
    for (const one of loaded.places)
      closed = (await bringUp(one, at).catch((error: unknown) => notBroughtUp(one, error))) && closed;
    const control = loaded.places.find(({ place }) => place.control)!;
    const { header, manifest } = archive;
    return {
      ...{ release: header.release, at: header.at, closed },
      places: header.places.map((place, i) => ({
        ...{ name: formatControlAndShardNames(place), at: place.at },
        ...{ tables: place.tables.length, rows: sumBackedUpRows(manifest.places[i]!) },
      })),
      media: header.media === 'bucket' ? 'bucket' : manifest.media,
      secrets: loaded.secrets,
      secretKey: await keyStandingOf(control.place, config),
    };
  });
};

/** Those of the archive, opened; throws a sentence when they cannot be, or when others stand in their place. */
const secretsOf = async (
  { path, secrets }: CheckedArchive,
  { dataDir }: Config,
  { passphrase: ask, withoutSecrets }: RestoreRequest,
): Promise<BackedUpSecrets> => {
  if (!secrets || withoutSecrets) return {};
  const passphrase = await ask();
  if (passphrase === undefined)
    throw new Error(
      `${path} holds secrets: give the passphrase that they were sealed with, or leave them out`,
    );
  const opened = await openBackupSecrets(secrets.sealed, passphrase, secrets.about);
  if (!opened) throw new Error(`the passphrase does not open the secrets of ${path}`);
  const others = differingSecretFiles(dataDir, opened);
  if (others.length > 0)
    throw new Error(
      `${dataDir} holds another ${others.join(', ')} than the backup: move it away, or restore into a new DATA_DIR`,
    );
  return opened;
};

interface Loaded {
  header: BackupSchemaHeader;
  place: DatabaseSchemaLocation;
}

/** Everything up to the commit: of what is read after it, nothing can fail that would leave less than all. */
const load = async (
  archive: CheckedArchive,
  connected: ConnectedDatabases,
  config: Config,
  secrets: BackedUpSecrets,
  request: RestoreRequest,
): Promise<{ places: Loaded[]; secrets: string[] }> => {
  const { header, manifest } = archive;
  const { progress, signal } = request;
  const targets = matchBackupSchemasToSettings(header, connected);
  for (const target of targets) await refuseUnlessEmpty(target.client, target.place, target.header);
  for (const target of targets) await migrateAs(target.place, target.header);
  const loadings: SchemaRestore[] = targets.map(({ header: of, client, place: { schema } }) => ({
    header: of,
    client,
    schema,
  }));
  for (const { client } of connected.databases)
    await beginSchemaRestore(
      client,
      loadings.filter((one) => one.client === client),
    );
  await readIn(archive, loadings, config, request);
  const all = manifest.places
    .flatMap((tables) => Object.values(tables))
    .reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const at = Date.now();
  for (const [i, loading] of loadings.entries()) {
    await verifyRestoredTables(loading, manifest.places[i]!, (_, { bytes }) => {
      signal?.throwIfAborted();
      progress('comparing', (done += bytes), all);
    });
    await finishSchemaRestore(loading, { takenAt: loading.header.at, at });
  }
  // Before the rows that they belong to can be seen.
  const files = writeRestoredSecretFiles(config.dataDir, secrets);
  await commit(connected);
  return { places: targets, secrets: files };
};

/** As far as the archive's tables were. */
const migrateAs = async (
  place: DatabaseSchemaLocation,
  { migrations }: BackupSchemaHeader,
): Promise<void> => {
  const names = new Set(migrations.map(({ name }) => name));
  await withPool(place, (pool) =>
    migrate(
      pool,
      place.schema,
      listMigrations().filter(({ name }) => names.has(name)),
    ),
  );
};

const withPool = async <T>(
  place: DatabaseSchemaLocation,
  use: (pool: ReturnType<ReturnType<typeof openSingleConnectionPool>>) => Promise<T>,
): Promise<T> => {
  const pool = openSingleConnectionPool('ramal restore')(place);
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
};

/** Rows into their tables, media into their store. */
const readIn = async (
  { path, manifest }: CheckedArchive,
  loadings: readonly SchemaRestore[],
  config: Config,
  { progress, signal }: RestoreRequest,
): Promise<void> => {
  const media = manifest.media.files > 0 ? await openMediaStore(config) : undefined;
  const rows = new BackupRowLoader(loadings);
  for await (const { name, content } of readArchiveFiles(path, (read, of) => progress('loading', read, of))) {
    signal?.throwIfAborted();
    const entry = parseArchiveEntryName(name);
    if (entry.kind === 'rows') await rows.write(entry.place, entry.table, content());
    if (entry.kind !== 'media') continue;
    const id = idOfFileName(entry.file);
    if (id === undefined) throw new Error(`the backup holds media under a name that is none: ${name}`);
    await media!.put(entry.account, id, content());
  }
  await rows.end();
};

/** The control data last: without it no service finds what the shards hold. */
const commit = async ({ databases }: ConnectedDatabases): Promise<void> => {
  for (const [i, { client, places }] of databases.entries())
    try {
      await client.query('COMMIT');
    } catch (error) {
      if (i === 0) throw error;
      throw new Error(
        `only a part was restored, for the database of ${places.map(formatControlAndShardNames).join(' and ')} broke at the end (${(error as Error).message}): empty all of them and restore again`,
        { cause: error },
      );
    }
};

/** From the backup's release to this one, as the start does; whether its shard is closed. */
const bringUp = ({ place, header }: Loaded, at: number): Promise<boolean> =>
  withPool(place, async (pool) => {
    await migrate(pool, place.schema);
    await maintainHistoryPartitions(pool, { now: at, keepDays: Infinity });
    const client = await pool.connect();
    try {
      // The release of now may call tables otherwise.
      const names = [
        'history',
        ...(await readTablesOfDatabaseSchema(client, place.schema)).map(({ name }) => name),
      ];
      await client.query(`ANALYZE ${names.map((name) => qualifiedSqlName(place.schema, name)).join(', ')}`);
      return await markRestoredShardsClosed(client, place.schema, { takenAt: header.at, at });
    } finally {
      client.release();
    }
  });

const notBroughtUp = ({ place }: Loaded, cause: unknown): never => {
  throw new Error(
    `the rows are restored, and the database of ${formatControlAndShardNames(place)} could not be brought to this release: ${(cause as Error).message}`,
    { cause },
  );
};

const keyStandingOf = async (
  place: DatabaseSchemaLocation,
  { dataDir, given }: Config,
): Promise<RestoreReport['secretKey']> => {
  const { secretKey } = readExistingSecrets(dataDir, given);
  if (secretKey === undefined) return 'absent';
  return (await withPool(place, (pool) => doesSecretKeyMatchDatabase(pool, secretKey))) ? 'fits' : 'another';
};
