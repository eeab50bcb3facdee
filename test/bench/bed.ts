/** The bench's own PostgreSQL: the embedded server in a temporary folder, and a fresh database for every run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { startEmbeddedPostgres } from '../../src/store/embedded.ts';
import { migrate } from '../../src/store/migrate.ts';
import { maintainHistoryPartitions } from '../../src/store/historyPartitions.ts';
import { assertDurableDatabase, openDatabasePool, openCommitPool } from '../../src/store/pool.ts';
import { parentOf } from './meter.ts';

export interface BenchDatabase {
  url: string;
  /** For journals of its nodes, on the disk that the server writes to. */
  journals: string;
  /** For everything but commits. */
  pool: Pool;
  /** As many connections as a shard has lanes. */
  writers: Pool;
  /** Closes all connections, so that the server's counters of rows are complete, and looks with a new one. */
  afterwards<T>(look: (pool: Pool) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface Bed {
  /** A folder that goes with the bed. */
  folder: string;
  /** Process id of the server, for its CPU time. */
  postmaster: number;
  /** The server's version, e.g. `18.1`. */
  version: string;
  /** Makes a migrated database, lends it, and drops it afterwards. */
  withDatabase<T>(use: (database: BenchDatabase) => Promise<T>): Promise<T>;
  /** The address of a database of this name. */
  urlOf(name: string): string;
  /** Asks the maintenance database. */
  ask<Row extends object>(sql: string): Promise<Row[]>;
  stop(): Promise<void>;
}

const TEMPLATE = 'bench_template';

/** Starts the server; throws when what it confirms would not survive a power cut. */
export const openBed = async (): Promise<Bed> => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-bench-'));
  const server = await startEmbeddedPostgres({ dataDir: folder });
  const maintenance = openDatabasePool(
    { name: 'bench', url: server.url, schema: 'public' },
    { maxConnections: 1 },
  );
  const ask = async <Row extends object>(sql: string): Promise<Row[]> =>
    (await maintenance.query<Row>(sql)).rows;
  await assertDurableDatabase(maintenance);
  await makeTemplate(server.url, ask);
  const [own] = await ask<{ pid: number; version: string }>(
    `SELECT pg_backend_pid() AS pid, split_part(current_setting('server_version'), ' ', 1) AS version`,
  );
  let made = 0;
  return {
    folder,
    postmaster: parentOf(own!.pid),
    version: own!.version,
    urlOf: (name) => withName(server.url, name),
    ask,
    withDatabase: async (use) => {
      const name = `bench_${++made}`;
      await ask(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
      const database = connect(withName(server.url, name), mkdtempSync(join(folder, 'journals-')));
      try {
        return await use(database);
      } finally {
        await database.close();
        await ask(`DROP DATABASE ${name} WITH (FORCE)`);
      }
    },
    stop: async () => {
      await maintenance.end();
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
};

const connect = (url: string, journals: string): BenchDatabase => {
  const address = { name: 'a', url, schema: 'public' };
  const everything = openDatabasePool(address, { statementTimeoutMs: 0 });
  const writers = openCommitPool(address, {});
  let closed: Promise<unknown> | undefined;
  const close = async (): Promise<void> =>
    void (await (closed ??= Promise.all([everything.end(), writers.end()])));
  return {
    ...{ url, journals },
    pool: everything,
    writers,
    close,
    afterwards: async (look) => {
      await close();
      const late = openDatabasePool(address, { maxConnections: 1 });
      try {
        while (await hasCompany(late)) await pause(10);
        return await look(late);
      } finally {
        await late.end();
      }
    },
  };
};

/** Sessions hand in their counters when they end. */
const hasCompany = async (pool: Pool): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  return rowCount !== 0;
};

const makeTemplate = async (serverUrl: string, ask: Bed['ask']): Promise<void> => {
  await ask(`CREATE DATABASE ${TEMPLATE}`);
  const database = connect(withName(serverUrl, TEMPLATE), tmpdir());
  await migrate(database.pool);
  await maintainHistoryPartitions(database.pool, { now: Date.now(), keepDays: 30 });
  await database.close();
};

const withName = (url: string, name: string): string => {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
};
