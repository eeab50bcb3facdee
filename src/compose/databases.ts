/** The databases of this process: opened, brought to this release, and closed in order; the embedded one last. */
import type { Pool } from 'pg';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { startEmbedded } from '../store/embedded.ts';
import { migrate } from '../store/migrate.ts';
import { keepPartitions } from '../store/partitions.ts';
import {
  assertDurable,
  type DatabaseAddress,
  type DatabaseOptions,
  openPool,
  openWriters,
} from '../store/pool.ts';
import { raiseSmallIds } from '../store/raiseSmallIds.ts';
import { keepImages } from '../store/rowImages/pool.ts';
import { readStandbys, standbyAdvice, standbyWarning } from '../store/standbys.ts';
import { type Failover, openFailover } from './failover.ts';
import { openRowImages, type PlaceName, type RowImages } from './rowImages.ts';

/** A database whose rows are kept as images. */
export interface ImagedDatabase extends Database {
  images: RowImages;
}

export interface ShardDatabase extends ImagedDatabase {
  /** As many connections as the shard has writers, for commits only. */
  writers: Pool;
  /** For statements that may last minutes: nobody's request waits for them behind a limit of seconds. */
  bulk: Pool;
  /** For answers that are read page by page while they are sent. */
  longReads: Pool;
  /** One connection, for counts that read a whole table in its order. */
  counting: Pool;
}

export interface Databases {
  control: ImagedDatabase;
  /** One connection to the control database, which shows whether it answers however busy the others are. */
  probe: Pool;
  shards: ReadonlyMap<string, ShardDatabase>;
  /** Finds and watches the servers of addresses with several hosts. */
  failover: Failover;
  /** Closes all connections, then leaves the embedded server. */
  close(): Promise<void>;
}

/** The database that holds everything in the embedded server. */
const embeddedName = 'ramal';
/** A server that hangs is as good as away: what it does not answer in this time is answered 503. */
const queryTimeoutMs = 8_000;
/** Work that may last minutes: lists that come in, destinations that are chosen. */
const bulkConnections = 4;
/** Pages of long answers, one statement each. */
const longReadConnections = 4;
/** For what is written again from journals, while whoever wants a connection waits. */
const mergingConnections = 2;
/** A count of all machines that takes longer is given up. */
const countTimeoutMs = 10_000;
/** A control database that does not answer a probe in this time does not answer. */
const probeTimeoutMs = 2_000;

const closing = (pool: Pool) => ({ close: () => pool.end() });

/** Opens and migrates. A shard that is away is opened all the same, and migrated by the next start. */
export const openDatabases = async (config: Config, log: Log): Promise<Databases> => {
  const server =
    config.databaseUrl === undefined
      ? await startEmbedded({ dataDir: config.dataDir, log: (line) => log.info(line) })
      : undefined;
  try {
    const url = config.databaseUrl ?? (await embeddedDatabase(server!.url));
    return await openAll(config, log, url, async () => server?.stop());
  } catch (error) {
    await server?.stop();
    throw error;
  }
};

/** The same for as long as they are used. */
export const withDatabases = async <T>(
  config: Config,
  log: Log,
  use: (databases: Databases) => Promise<T>,
): Promise<T> => {
  const databases = await openDatabases(config, log);
  try {
    return await use(databases);
  } finally {
    await databases.close();
  }
};

const openAll = async (
  config: Config,
  log: Log,
  url: string,
  stopServer: () => Promise<void>,
): Promise<Databases> => {
  const failover = openFailover(log);
  let isClosing = false;
  /** What all pools of a database have in common. */
  const common = (name: string, at: string): DatabaseOptions => ({
    hosts: failover.hostsFor(name, at),
    // Connections that are said goodbye to may hear of the server's end before that of their own.
    onConnectionError: (error) =>
      isClosing ? undefined : log.warn({ err: error, database: name }, 'a connection broke'),
  });
  const maxConnections = config.limits.databaseConnections;
  const ofControl = common('control', url);
  await withPool({ url, schema: 'public' }, ofControl, async (pool) => {
    await assertDurable(pool);
    await migrate(pool, 'public', undefined, { note: (line) => log.info({ database: 'control' }, line) });
    await warnOfStandbys(pool, 'control', log);
  });
  const control = openImaged(
    { name: 'control', url, schema: 'public' },
    { ...ofControl, queryTimeoutMs, maxConnections, byIndex: true },
    { config, place: 'control', log },
  );
  const probe = openPool(
    { name: 'control', url, schema: 'public' },
    {
      ...ofControl,
      ...{ maxConnections: 1, queryTimeoutMs: probeTimeoutMs, connectTimeoutMs: probeTimeoutMs },
    },
  );
  const shards = new Map<string, ShardDatabase>();
  const opened: { close(): Promise<void> }[] = [control, closing(probe)];
  for (const setting of config.shards) {
    const at = { url: setting.url ?? url, schema: setting.schema };
    const place = { name: setting.name, ...at };
    const shared = common(place.name, place.url);
    const asked = { ...shared, queryTimeoutMs };
    const database = openImaged(
      place,
      { ...asked, maxConnections, byIndex: true },
      { config, place: { shard: place.name }, log },
    );
    const writers = openWriters(place, asked);
    const bulk = openPool(place, { ...shared, maxConnections: bulkConnections, statementTimeoutMs: 0 });
    const longReads = openPool(place, { ...asked, maxConnections: longReadConnections, byIndex: true });
    const counting = openPool(place, {
      ...{ ...shared, maxConnections: 1, serial: true },
      ...{ statementTimeoutMs: countTimeoutMs, queryTimeoutMs: countTimeoutMs },
    });
    opened.push(database, ...[writers, bulk, longReads, counting].map(closing));
    shards.set(place.name, { ...database, writers, bulk, longReads, counting });
    await prepare(place, shared, config, log);
  }
  await raiseCounters(control, [...shards.values()], log);
  return {
    control,
    probe,
    shards,
    failover,
    close: async () => {
      isClosing = true;
      failover.stop();
      await Promise.all(opened.map((database) => database.close()));
      await stopServer();
    },
  };
};

/**
 * No small id that a shard holds is given away again, also where no journal is at hand. A shard that is away, and one that
 * a release before this one left, has its turn at the next start.
 */
const raiseCounters = async (
  control: ImagedDatabase,
  shards: readonly ShardDatabase[],
  log: Log,
): Promise<void> => {
  for (const { name: shard, pool } of shards)
    await raiseSmallIds(control.pool, [pool]).catch((error: unknown) =>
      log.warn({ err: error, shard }, 'small ids of the shard could not be looked through'),
    );
};

/** Sentences for rows that were acknowledged and may not stand. */
export const rowProblems = ({ control, shards }: Databases): (string | undefined)[] =>
  [control, ...shards.values()].map(({ images }) => images.problem());

interface ImagedScope {
  config: Config;
  place: PlaceName;
  log: Log;
}

/** A database that is brought up to date, by its journal, before a connection to it is used. */
const openImaged = (
  address: DatabaseAddress,
  options: DatabaseOptions,
  { config, place, log }: ImagedScope,
): ImagedDatabase => {
  const merging = openPool(address, { ...options, maxConnections: mergingConnections });
  const images = openRowImages(config, place, merging, log);
  const database = openDatabase(address, { ...options, verify: (client) => images.verify(client) });
  keepImages(database.pool, images.writer);
  return {
    ...database,
    prisma: images.client(database.prisma),
    images,
    close: async () => {
      await images.close();
      await database.close();
      await merging.end();
    },
  };
};

/** One shard that is away must not keep the others from starting. */
const prepare = async (
  place: DatabaseAddress,
  shared: DatabaseOptions,
  config: Config,
  log: Log,
): Promise<void> => {
  const { name: shard, schema } = place;
  try {
    await withPool(place, shared, async (pool) => {
      await assertDurable(pool);
      const note = (line: string): void => log.info({ shard }, line);
      const applied = await migrate(pool, schema, undefined, { note });
      if (applied.length > 0) log.info({ shard, applied }, 'migrated');
      // Only made here: what is dropped is for the shard's time to say, not for this host's clock.
      await keepPartitions(pool, { now: Date.now(), keepDays: Infinity });
      if (place.url !== config.databaseUrl) await warnOfStandbys(pool, shard, log);
    });
  } catch (error) {
    if (config.shards.length === 1) throw error;
    log.error({ err: error, shard }, 'the shard could not be prepared; its accounts wait');
  }
};

/** Said at the start: what a failover would lose is to be known before there is one. */
const warnOfStandbys = async (pool: Pool, database: string, log: Log): Promise<void> => {
  const sentence = standbyWarning(await readStandbys(pool));
  if (sentence !== undefined) log.warn({ database }, `${sentence}. ${standbyAdvice}`);
};

/** Preparing may take its time, so it has connections of its own. */
const withPool = async <T>(
  { url, schema }: { url: string; schema: string },
  { hosts }: DatabaseOptions,
  use: (pool: Pool) => Promise<T>,
): Promise<T> => {
  const options = { hosts, maxConnections: 2, statementTimeoutMs: 0 };
  const pool = openPool({ name: 'preparing', url, schema }, options);
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
};

/** The service's own database in the embedded server. */
export const embeddedDatabase = async (serverUrl: string): Promise<string> => {
  const maintenance = openPool({ name: 'postgres', url: serverUrl, schema: 'public' }, { maxConnections: 1 });
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
