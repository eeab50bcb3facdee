/** Connections to a database, and whether it keeps what it confirms. */
import { type ClientBase, Pool, type PoolClient, types } from 'pg';
import { STATEMENT_TIMEOUT_MS } from '../engine/contract/store.ts';
import { parseMultiHostDatabaseUrl } from '../lib/multiHostDatabaseUrl.ts';
import { type WritableDatabaseHostSelector, databaseHostsOf } from './databaseFailover.ts';
import { createFailoverClientClass } from './databaseFailover/failoverClient.ts';

/** Where a shard, or the control data, lives. */
export interface ShardDatabaseLocation {
  /** The shard's name as it stands in `cd_id`, e.g. `a`. */
  name: string;
  /** `postgresql://user:password@host:port/database`, with several hosts where standbys may take over. */
  url: string;
  /** The schema that holds the tables; names in our SQL carry none. */
  schema: string;
}

export interface DatabaseOptions {
  /** What the server shows as the session's name. Default `ramal`. */
  applicationName?: string;
  /** Connections of this pool at most. Default 10. */
  maxConnections?: number;
  /** A statement that runs longer is cancelled by the server; milliseconds, 0 for never. Default `STATEMENT_TIMEOUT_MS`. */
  statementTimeoutMs?: number;
  /** A query without an answer for so long is given up by us, whatever the server does; milliseconds. Default never. */
  queryTimeoutMs?: number;
  /** How long a caller waits for a connection before it hears that the database is away, milliseconds. Default 5,000. */
  connectTimeoutMs?: number;
  /**
   * Statements find rows by an index wherever there is one, however few rows the server believes are there. Default
   * false: as the server plans.
   */
  byIndex?: boolean;
  /**
   * The server plans each prepared statement once a connection, not again for each set of values. Default false: as it
   * judges.
   */
  plansOnce?: boolean;
  /** The server plans statements for one processor. Default false: for several, as it likes. */
  serial?: boolean;
  /** What is known of the hosts of the address, by pools that share it. Default: this pool looks by itself. */
  hosts?: WritableDatabaseHostSelector | undefined;
  /** Checks each new connection before it is handed out; a rejection is passed to the query that wanted it. */
  verify?: (client: ClientBase) => Promise<void>;
  /** Called for connections that broke while idle; the pool has replaced them by then. */
  onConnectionError?: (error: Error) => void;
}

const usualConnectTimeoutMs = 5_000;

const ignore = () => {};

/** Opens a pool without talking to the server yet. bigint columns come as numbers: times and ids stay below 2^53. */
export function openDatabasePool({ url, schema }: ShardDatabaseLocation, options: DatabaseOptions): Pool {
  const heard = options.onConnectionError ?? ignore;
  const hosts = options.hosts ?? databaseHostsOf(url);
  const settings = {
    // Prisma reads timestamps as UTC whatever the session says.
    TimeZone: 'UTC',
    search_path: schema,
    statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 30_000,
    ...(options.byIndex && { enable_seqscan: 'off' }),
    ...(options.plansOnce && { plan_cache_mode: 'force_generic_plan' }),
    ...(options.serial && { max_parallel_workers_per_gather: 0 }),
  };
  const pool = new Pool({
    connectionString: withSettings(parseMultiHostDatabaseUrl(url).single, settings),
    ...(hosts && { Client: createFailoverClientClass(hosts) as unknown as new () => ClientBase }),
    application_name: options.applicationName ?? 'ramal',
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? usualConnectTimeoutMs,
    ...(options.queryTimeoutMs !== undefined && { query_timeout: options.queryTimeoutMs }),
    keepAlive: true,
    ...(options.verify && { verify: verifyBy(options.verify) }),
    types: { getTypeParser: parserOf as typeof types.getTypeParser },
  });
  pool.on('error', (error: Error & { client?: unknown }) => {
    // The pool hangs the whole connection on it, which is pages of a log.
    delete error.client;
    heard(error);
  });
  // A connection that breaks while in use fails the query and also emits an error event; without a listener that would
  // end the process.
  pool.on('connect', (client: PoolClient) => client.on('error', ignore));
  return pool;
}

type Verify = (client: ClientBase) => Promise<void>;
type Verified = (refusal?: Error) => void;

/**
 * `verify` as the pool calls it: a connection that is refused is closed, and the query that wanted it gets the reason.
 */
const verifyBy =
  (verify: Verify) =>
  (client: ClientBase, done: Verified): void =>
    void tellWhether(verify, client, done);

const tellWhether = async (verify: Verify, client: ClientBase, done: Verified): Promise<void> => {
  let refusal: Error | undefined;
  try {
    await verify(client);
  } catch (error) {
    refusal = error as Error;
  }
  done(refusal);
};

/** Writers of a shard (`src/engine/shard.ts`). */
const writerConnections = 2;

/**
 * A pool for a shard's commits only, of as many connections as it has writers. A plan that was made while a table was
 * small would read all of it for every commit, until the server looks at it anew, however much came since. One that is made for
 * each commit, which the server may prefer once it has looked, costs it as much as the commit.
 */
export const openCommitPool = (address: ShardDatabaseLocation, options: DatabaseOptions): Pool =>
  openDatabasePool(address, {
    ...options,
    maxConnections: writerConnections,
    byIndex: true,
    plansOnce: true,
  });

/** Our settings travel in the address, beside any that stand there; a setting given in the address wins. */
function withSettings(url: string, settings: Record<string, string | number>): string {
  const address = new URL(url);
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  address.searchParams.set('options', [...ours, address.searchParams.get('options') ?? ''].join(' ').trim());
  return address.href;
}

const int8: number = types.builtins.INT8;

function parserOf(type: number, format?: 'text' | 'binary'): unknown {
  return type === int8 && format !== 'binary' ? Number : types.getTypeParser(type, format);
}

/** Throws a sentence unless what this server confirms survives a power cut. */
export async function assertDurableDatabase(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes')`,
  );
  for (const { name, setting } of rows) {
    if (setting === 'off')
      throw new Error(
        `the database runs with ${name} = off, so an acknowledged call could be lost: turn it on`,
      );
  }
}
