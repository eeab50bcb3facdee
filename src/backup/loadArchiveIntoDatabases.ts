/**
 * Loads an archive into databases that hold nothing: one transaction for each, which ends when every row has been read
 * back and compared. Until then none of it is visible, and a restore that is broken off leaves empty tables.
 */
import type { ClientBase } from 'pg';
import { escapeIdentifier } from 'pg';
import { finished } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { createHistoryPartition } from '../store/historyPartitions.ts';
import {
  partitionDay,
  lockMigrations,
  readAppliedMigrations,
  qualifiedSqlName,
  readTablesOfDatabaseSchema,
} from './databaseSchemaCatalogue.ts';
import { markRestoredShardsClosed } from './closeRestoredShards.ts';
import { type BackupSchemaHeader, formatControlAndShardNames, type TableTally } from './format.ts';
import { copyTableOut } from './streamArchive.ts';

/** A place of the archive, and the schema that it goes to. */
export interface SchemaRestore {
  header: BackupSchemaHeader;
  client: ClientBase;
  schema: string;
}

/** Begins on a database whose tables were made and are empty. Throws a sentence when they are not what they were. */
export const beginSchemaRestore = async (
  client: ClientBase,
  loadings: readonly SchemaRestore[],
): Promise<void> => {
  await client.query('BEGIN');
  for (const { header, schema } of loadings) {
    await lockMigrations(client, schema);
    const applied = (await readAppliedMigrations(client, schema)) ?? [];
    if (applied.map(({ name }) => name).join() !== header.migrations.map(({ name }) => name).join())
      throw new Error(
        `another process has begun on the database of ${formatControlAndShardNames(header)}: stop it, and restore into an empty one`,
      );
    await client.query(`SET LOCAL search_path = ${escapeIdentifier(schema)}`);
    await makePartitions(client, schema, header);
    const names = header.tables.map(({ name }) => qualifiedSqlName(schema, name));
    // Of this very transaction the tables are written from their beginning, in the order of the archive.
    await client.query(`TRUNCATE ${names.join(', ')}`);
  }
};

/** Those of the archive's days; all other tables were made by migrations. */
const makePartitions = async (
  client: ClientBase,
  schema: string,
  header: BackupSchemaHeader,
): Promise<void> => {
  const there = new Set((await readTablesOfDatabaseSchema(client, schema)).map(({ name }) => name));
  for (const { name } of header.tables) {
    const day = partitionDay(name);
    if (day !== undefined && !there.has(name)) await createHistoryPartition(client, day);
    else if (!there.has(name))
      throw new Error(`the backup holds a table ${name}, which its migrations do not make`);
  }
};

/** The table that rows go to now. */
interface Current {
  key: string;
  stream: ReturnType<typeof copyFrom>;
  /** Settles when the server has taken all of it, or refuses it. */
  done: Promise<void>;
  /** Why the server takes no more of it. */
  failure?: Error;
}

/** Rows of one table after the other, as they come. */
export class BackupRowLoader {
  readonly #loadings: readonly SchemaRestore[];
  #current: Current | undefined;

  /** `loadings`: in the order of the archive's header. */
  constructor(loadings: readonly SchemaRestore[]) {
    this.#loadings = loadings;
  }

  async write(place: number, table: string, content: AsyncIterable<Buffer>): Promise<void> {
    const current = await this.#at(place, table);
    const { stream, done } = current;
    for await (const chunk of content) {
      if (current.failure) throw current.failure;
      if (stream.write(chunk)) continue;
      await Promise.race([new Promise((resolve) => stream.once('drain', resolve)), done]);
    }
  }

  /** The table that came last is whole. */
  async end(): Promise<void> {
    const last = this.#current;
    this.#current = undefined;
    if (last?.failure) throw last.failure;
    last?.stream.end();
    await last?.done;
  }

  async #at(place: number, table: string): Promise<Current> {
    const key = `${place}/${table}`;
    if (this.#current?.key === key) return this.#current;
    await this.end();
    const loading = this.#loadings[place];
    const columns = loading?.header.tables.find(({ name }) => name === table)?.columns;
    if (!loading || !columns)
      throw new Error(`the backup holds rows of a table ${table} that it does not name`);
    const list = columns.map(escapeIdentifier).join(', ');
    const stream = loading.client.query(
      copyFrom(`COPY ${qualifiedSqlName(loading.schema, table)} (${list}) FROM STDIN`),
    );
    const current: Current = { key, stream, done: finished(stream) };
    // The stream does not close itself when its connection ends, and must not be written to any more.
    stream.once('error', ({ message }) => {
      const where = `${table} of ${formatControlAndShardNames(loading.header)}`;
      current.failure = new Error(`${where} could not be written: ${message}`);
    });
    current.done = current.done.catch((error: unknown) => {
      throw current.failure ?? error;
    });
    // Heard where it is waited for.
    current.done.catch(() => {});
    this.#current = current;
    return current;
  }
}

/** Reads every table back; throws a sentence when one is not, to the last byte, what the archive says. */
export const verifyRestoredTables = async (
  { header, client, schema }: SchemaRestore,
  tallies: Readonly<Record<string, TableTally>>,
  heard: (table: string, tally: TableTally) => void,
): Promise<void> => {
  for (const table of header.tables) {
    const copy = copyTableOut(client, schema, table);
    for await (const _ of copy.parts());
    const found = await copy.tally();
    const told = tallies[table.name];
    if (found.rows !== told?.rows || found.sha256 !== told.sha256)
      throw new Error(
        `the table ${table.name} of ${formatControlAndShardNames(header)} holds ${found.rows} rows that are not the ${told?.rows ?? 0} of the backup: nothing was kept`,
      );
    heard(table.name, found);
  }
};

/** Sequences go on where they stood, and the shard is closed; whether it could be. */
export const finishSchemaRestore = async (
  { header, client, schema }: SchemaRestore,
  times: { takenAt: number; at: number },
): Promise<boolean> => {
  // A sequence that no migration makes belongs to another program.
  for (const { name, value, called } of header.sequences)
    await client.query(
      'SELECT setval(found, $2::bigint, $3) FROM to_regclass($1) AS found WHERE found IS NOT NULL',
      [qualifiedSqlName(schema, name), value, called],
    );
  return markRestoredShardsClosed(client, schema, times);
};
