/** A real, migrated database of one's own, cloned from a template on the run's server (some 30 ms). */
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { inject } from 'vitest';
import { openRowChangeJournal } from '../../src/recovery/openRowChangeJournal.ts';
import type { JournaledDatabase } from '../../src/compose/databases.ts';
import { readConfig } from '../../src/config.ts';
import { openLog } from '../../src/log.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import type { DatabaseOptions } from '../../src/store/pool.ts';

export interface TestDatabase extends Database {
  /** Closes our connections and drops the database, whoever is still connected. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions extends DatabaseOptions {
  /** The shard's name. Default `a`. */
  shard?: string;
  /** False: an empty database without tables. Default true. */
  migrated?: boolean;
}

/** Makes a database; whoever asked for it drops it. */
export async function freshDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const serverUrl = inject('serverUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const template = options.migrated === false ? 'template0' : 'template_ramal';
  await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY WAL_LOG`);
  const address = { name: options.shard ?? 'a', url: withName(serverUrl, name), schema: 'public' };
  const database = openDatabase(address, { maxConnections: 4, ...options });
  return {
    ...database,
    async drop() {
      await database.close();
      await onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Makes a database for the length of `use`. */
export async function withDatabase<T>(
  use: (database: TestDatabase) => Promise<T>,
  options: TestDatabaseOptions = {},
): Promise<T> {
  const database = await freshDatabase(options);
  try {
    return await use(database);
  } finally {
    await database.drop();
  }
}

/** A database as parts of the service are given it; what is written by its client is kept in no journal. */
export const asJournaled = (database: Database): JournaledDatabase => ({
  ...database,
  rowJournal: openRowChangeJournal(readConfig({}), 'control', database.pool, openLog('silent')),
});

/** The same server, another database. */
export function withName(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

async function onServer(url: string, sql: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  try {
    await pool.query(sql);
  } finally {
    await pool.end();
  }
}
