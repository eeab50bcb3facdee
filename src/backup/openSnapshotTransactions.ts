/**
 * The databases as they stood at a moment: one transaction for each, which reads what was committed when it began,
 * whatever is written meanwhile. All of them are begun before the first is read.
 */
import type { ClientBase, Pool } from 'pg';
import {
  type CataloguedTable,
  readAppliedMigrations,
  qualifiedSqlName,
  refuseUnknownMigrations,
  readSequencesOfDatabaseSchema,
  readTablesOfDatabaseSchema,
} from './databaseSchemaCatalogue.ts';
import { type BackupSchemaHeader, formatControlAndShardNames } from './format.ts';
import {
  connectToDatabases,
  type DatabaseSchemaLocation,
  type DatabaseWithSchemas,
} from './databaseSchemaLocations.ts';

/** One schema, in a transaction that stands still. */
export interface OpenBackupSchemaSnapshot {
  header: BackupSchemaHeader;
  schema: string;
  client: ClientBase;
  tables: CataloguedTable[];
}

export interface OpenBackupSnapshots {
  places: OpenBackupSchemaSnapshot[];
  close(): Promise<void>;
}

/**
 * Takes them, within milliseconds of each other. Throws a sentence for a place without our tables. `open`: a pool of one
 * connection, which is ended with the snapshots.
 */
export const openDatabaseSnapshots = async (
  places: readonly DatabaseSchemaLocation[],
  open: (place: DatabaseSchemaLocation) => Pool,
): Promise<OpenBackupSnapshots> => {
  const { databases, close } = await connectToDatabases(places, open);
  try {
    for (const database of databases) await lockTables(database);
    const times: number[] = [];
    for (const { client } of databases) times.push(await takeSnapshot(client));
    const found: OpenBackupSchemaSnapshot[] = [];
    for (const [i, { client, places: inIt }] of databases.entries())
      for (const place of inIt) found.push(await look(client, place, times[i]!));
    return { places: found, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/**
 * Begins the transaction and locks before it reads, so that no table is made anew between; for reading only, so that
 * nothing but migrations and the end of old partitions waits.
 */
const lockTables = async ({ client, places }: DatabaseWithSchemas): Promise<void> => {
  const names: string[] = [];
  for (const place of places) {
    const applied = await readAppliedMigrations(client, place.schema);
    if (!applied || applied.length === 0)
      throw new Error(`there are no tables of Ramal in the database of ${formatControlAndShardNames(place)}`);
    refuseUnknownMigrations(applied, `the database of ${formatControlAndShardNames(place)}`);
    const tables = await readTablesOfDatabaseSchema(client, place.schema);
    names.push(...tables.map(({ name }) => qualifiedSqlName(place.schema, name)));
  }
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`);
};

/** The first statement that reads takes it. When that was, on the database's clock, epoch milliseconds. */
const takeSnapshot = async (client: ClientBase): Promise<number> => {
  const { rows } = await client.query<{ at: number }>(
    'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at',
  );
  return rows[0]!.at;
};

const look = async (
  client: ClientBase,
  { control, shards, schema }: DatabaseSchemaLocation,
  at: number,
): Promise<OpenBackupSchemaSnapshot> => {
  const { rows } = await client.query<BackupSchemaHeader['server']>(
    `SELECT current_setting('server_version') AS version,
      (SELECT system_identifier::text FROM pg_control_system()) AS "systemIdentifier"`,
  );
  const tables = await readTablesOfDatabaseSchema(client, schema);
  return {
    ...{ schema, client, tables },
    header: {
      ...{ control, shards, at, server: rows[0]! },
      migrations: (await readAppliedMigrations(client, schema))!,
      tables: tables.map(({ name, columns }) => ({ name, columns })),
      sequences: await readSequencesOfDatabaseSchema(client, schema),
    },
  };
};
