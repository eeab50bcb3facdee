/** What a schema of ours holds, read from the database's own catalogue: tables, columns, sequences, migrations. */
import { type ClientBase, escapeIdentifier } from 'pg';
import type { BackupSchemaHeader } from './format.ts';
import { listMigrations, type Migration } from '../store/listMigrations.ts';

/** Tables that migrations themselves write to: in a new database they hold rows. */
export const migrationSeededTables: ReadonlySet<string> = new Set(['small_ids', 'shard_state']);

const migrationsTable = '_prisma_migrations';

export interface CataloguedTable {
  name: string;
  columns: string[];
  /** On the server's disk. */
  bytes: number;
}

const tableName =
  /^\s*(?:CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?|ALTER TABLE "?\w+"? RENAME TO "?(\w+)"?)/gim;

/** Tables that the migrations make, under all names that they had; a schema may hold others, which are not ours. */
const tablesMade = (migrations: readonly Migration[]): Set<string> =>
  new Set(
    migrations.flatMap(({ sql }) =>
      [...sql.matchAll(tableName)].map(([, made, renamed]) => made ?? renamed!),
    ),
  );

const partition = /^history_d(\d{1,9})$/;

/** The day of a partition of the history, counted from the epoch; undefined: it is none. */
export const partitionDay = (table: string): number | undefined => {
  const day = partition.exec(table)?.[1];
  return day === undefined ? undefined : Number(day);
};

/** Our tables with rows of their own: partitions stand for the table that they are parts of. */
export const readTablesOfDatabaseSchema = async (
  client: ClientBase,
  schema: string,
): Promise<CataloguedTable[]> => {
  const made = tablesMade(listMigrations());
  const { rows } = await client.query<CataloguedTable & { part: boolean }>(
    `SELECT c.relname AS name, c.relispartition AS part, coalesce(pg_table_size(c.oid), 0)::float8 AS bytes,
       ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0
         AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind = 'r' ORDER BY c.relname COLLATE "C"`,
    [schema],
  );
  return rows
    .filter(({ name, part }) => made.has(name) || (part && partitionDay(name) !== undefined))
    .map(({ name, columns, bytes }) => ({ name, columns, bytes }));
};

/** A name of the catalogue with its schema, for a statement. */
export const qualifiedSqlName = (schema: string, name: string): string =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;

export const readSequencesOfDatabaseSchema = async (
  client: ClientBase,
  schema: string,
): Promise<BackupSchemaHeader['sequences']> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT sequencename AS name FROM pg_sequences WHERE schemaname = $1 ORDER BY 1`,
    [schema],
  );
  const found: BackupSchemaHeader['sequences'] = [];
  for (const { name } of rows) {
    const { rows: state } = await client.query<{ value: string; called: boolean }>(
      `SELECT last_value::text AS value, is_called AS called FROM ${qualifiedSqlName(schema, name)}`,
    );
    found.push({ name, ...state[0]! });
  }
  return found;
};

/** The migrations that were applied, in their order; undefined: the schema has never seen any. */
export const readAppliedMigrations = async (
  client: ClientBase,
  schema: string,
): Promise<BackupSchemaHeader['migrations'] | undefined> => {
  const { rowCount } = await client.query(
    'SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = $2',
    [schema, migrationsTable], // prettier-ignore
  );
  if (!rowCount) return undefined;
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM ${qualifiedSqlName(schema, migrationsTable)}
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
  );
  return rows;
};

/** Keeps other processes from migrating, and from starting, until the transaction ends. */
export const lockMigrations = async (client: ClientBase, schema: string): Promise<void> => {
  await client.query(`LOCK TABLE ${qualifiedSqlName(schema, migrationsTable)} IN ACCESS EXCLUSIVE MODE`);
};

/** Throws a sentence unless this release knows all of them as they were. `what`: e.g. `the backup`. */
export const refuseUnknownMigrations = (applied: BackupSchemaHeader['migrations'], what: string): void => {
  const known = new Map(listMigrations().map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of applied) {
    if (!known.has(name))
      throw new Error(`${what} has migration ${name}, which this release does not know: use a newer release`);
    if (known.get(name) !== checksum)
      throw new Error(
        `${what} has migration ${name} in another form than this release: use the release that made it`,
      );
  }
};
