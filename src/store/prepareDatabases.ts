/** Databases brought to this release at the start, before anything uses them. */
import type { Pool } from 'pg';
import { migrate } from './migrate.ts';
import { maintainHistoryPartitions } from './historyPartitions.ts';
import {
  assertDurableDatabase,
  type ShardDatabaseLocation,
  type DatabaseOptions,
  openDatabasePool,
} from './pool.ts';
import { raiseIdCountersAboveUsed } from './raiseSmallIds.ts';
import {
  readDatabaseStandbys,
  synchronousStandbyAdvice,
  describeAsynchronousStandbyRisk,
} from './checkSynchronousStandbys.ts';

/** Hears what is done, and what is not as it should be. */
export interface DatabaseStartupLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The database that holds everything in the embedded server. */
const embeddedName = 'ramal';

/**
 * No small id that a shard holds is given away again, also where no journal is at hand. A shard that is away, and one that
 * a release before this one left, has its turn at the next start.
 */
export const raiseSmallIdCounters = async (
  control: { pool: Pool },
  shards: readonly { name: string; pool: Pool }[],
  log: DatabaseStartupLogger,
): Promise<void> => {
  for (const { name: shard, pool } of shards)
    await raiseIdCountersAboveUsed(control.pool, [pool]).catch((error: unknown) =>
      log.warn({ err: error, shard }, 'small ids of the shard could not be looked through'),
    );
};

/** Brings the control database to this release. Rejects when it cannot. */
export const prepareControlDatabase = (
  url: string,
  shared: DatabaseOptions,
  log: DatabaseStartupLogger,
): Promise<void> =>
  withPool({ url, schema: 'public' }, shared, async (pool) => {
    await assertDurableDatabase(pool);
    await migrate(pool, 'public', undefined, { note: (line) => log.info({ database: 'control' }, line) });
    await warnOfStandbys(pool, 'control', log);
  });

/** What is said of a shard's preparation, and whether the start may go on without it. */
export interface PrepareShardOptions {
  /** Its server is not the one of the control database, which was looked at already. */
  ownServer: boolean;
  /** There is no other shard. */
  isOnly: boolean;
  log: DatabaseStartupLogger;
}

/**
 * Brings one shard to this release. One that is away must not keep the others from starting: it is logged. Rejects when
 * it is the only one.
 */
export const prepareShardDatabase = async (
  place: ShardDatabaseLocation,
  shared: DatabaseOptions,
  { ownServer, isOnly, log }: PrepareShardOptions,
): Promise<void> => {
  const { name: shard, schema } = place;
  try {
    await withPool(place, shared, async (pool) => {
      await assertDurableDatabase(pool);
      const note = (line: string): void => log.info({ shard }, line);
      const applied = await migrate(pool, schema, undefined, { note });
      if (applied.length > 0) log.info({ shard, applied }, 'migrated');
      // Only made here: what is dropped is for the shard's time to say, not for this host's clock.
      await maintainHistoryPartitions(pool, { now: Date.now(), keepDays: Infinity });
      if (ownServer) await warnOfStandbys(pool, shard, log);
    });
  } catch (error) {
    if (isOnly) throw error;
    log.error({ err: error, shard }, 'the shard could not be prepared; its accounts wait');
  }
};

/** Said at the start: what a failover would lose is to be known before there is one. */
const warnOfStandbys = async (pool: Pool, database: string, log: DatabaseStartupLogger): Promise<void> => {
  const sentence = describeAsynchronousStandbyRisk(await readDatabaseStandbys(pool));
  if (sentence !== undefined) log.warn({ database }, `${sentence}. ${synchronousStandbyAdvice}`);
};

/** Preparing may take its time, so it has connections of its own. */
const withPool = async <T>(
  { url, schema }: { url: string; schema: string },
  { hosts }: DatabaseOptions,
  use: (pool: Pool) => Promise<T>,
): Promise<T> => {
  const options = { hosts, maxConnections: 2, statementTimeoutMs: 0 };
  const pool = openDatabasePool({ name: 'preparing', url, schema }, options);
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
};

/** The address of the service's own database in the embedded server, where it is made when it is missing. */
export const createDatabaseInEmbeddedServer = async (serverUrl: string): Promise<string> => {
  const maintenance = openDatabasePool(
    { name: 'postgres', url: serverUrl, schema: 'public' },
    { maxConnections: 1 },
  );
  try {
    await maintenance.query(`CREATE DATABASE ${embeddedName}`);
  } catch (error) {
    // 42P04: it is there already; 23505: a neighbour makes it this very moment.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  } finally {
    await maintenance.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${embeddedName}`;
  return url.href;
};
