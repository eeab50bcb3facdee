/** The databases of this process: opened, brought to this release, and closed in order; the embedded one last. */
import type { Pool } from 'pg';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { startEmbeddedPostgres } from '../store/embedded.ts';
import {
  type ShardDatabaseLocation,
  type DatabaseOptions,
  openDatabasePool,
  openCommitPool,
} from '../store/pool.ts';
import { setRowChangeWriter } from '../store/rowChanges/journaledPoolTransaction.ts';
import {
  type DatabaseFailoverMonitor,
  createDatabaseFailoverMonitor,
} from '../store/databaseFailover/databaseHostWatches.ts';
import {
  openRowChangeJournal,
  type ControlOrShard,
  type RowChangeJournal,
} from '../recovery/openRowChangeJournal.ts';
import {
  createDatabaseInEmbeddedServer,
  prepareControlDatabase,
  prepareShardDatabase,
  raiseSmallIdCounters,
} from '../store/prepareDatabases.ts';

/** A database, with the journal of what changes in its rows outside of commits. */
export interface JournaledDatabase extends Database {
  rowJournal: RowChangeJournal;
}

export interface ShardDatabase extends JournaledDatabase {
  /** As many connections as the shard has writers, for commits only. */
  writers: Pool;
  /** For statements that may last minutes: they hold no connection that requests wait for. */
  bulk: Pool;
  /** For answers that are read page by page while they are sent. */
  longReads: Pool;
  /** One connection, for counts that read a whole table in its order. */
  counting: Pool;
}

export interface Databases {
  control: JournaledDatabase;
  /** One connection to the control database, which shows whether it answers however busy the others are. */
  probe: Pool;
  shards: ReadonlyMap<string, ShardDatabase>;
  /** Finds and watches the servers of addresses with several hosts. */
  failover: DatabaseFailoverMonitor;
  /** Closes all connections, then leaves the embedded server. */
  close(): Promise<void>;
}

/** A server that hangs is as good as away: what it does not answer in this time is answered 503. */
const queryTimeoutMs = 8_000;
/** Work that may last minutes: lists that come in, destinations that are chosen. */
const bulkConnections = 4;
/** Pages of long answers, one statement each. */
const longReadConnections = 4;
/** For what is written again from journals; further work waits for one of these. */
const mergingConnections = 2;
/** A count of all machines that takes longer is given up. */
const countTimeoutMs = 10_000;
/** A control database that does not answer a probe in this time does not answer. */
const probeTimeoutMs = 2_000;

/** Opens and migrates. A shard that is away is opened all the same, and migrated by the next start. */
export const openDatabases = async (config: Config, log: Log): Promise<Databases> => {
  const server =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, log: (line) => log.info(line) })
      : undefined;
  try {
    const url = config.databaseUrl ?? (await createDatabaseInEmbeddedServer(server!.url));
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
  const failover = createDatabaseFailoverMonitor(log);
  let isClosing = false;
  /** What all pools of a database have in common. */
  const common = (name: string, at: string): DatabaseOptions => ({
    hosts: failover.hostsFor(name, at),
    // Connections that are said goodbye to may hear of the server's end before that of their own.
    onConnectionError: (error) =>
      isClosing ? undefined : log.warn({ err: error, database: name }, 'a connection broke'),
  });
  const ofControl = common('control', url);
  await prepareControlDatabase(url, ofControl, log);
  const { control, probe } = openControl(url, ofControl, config, log);
  const shards = new Map<string, ShardDatabase>();
  for (const { name, schema, url: own } of config.shards) {
    const place = { name, url: own ?? url, schema };
    const shared = common(name, place.url);
    shards.set(name, openShard(place, shared, config, log));
    const ownServer = place.url !== config.databaseUrl;
    await prepareShardDatabase(place, shared, { ownServer, isOnly: config.shards.length === 1, log });
  }
  await raiseSmallIdCounters(control, [...shards.values()], log);
  return {
    control,
    probe,
    shards,
    failover,
    close: async () => {
      isClosing = true;
      failover.stop();
      await Promise.all(
        [control, { close: () => probe.end() }, ...shards.values()].map((one) => one.close()),
      );
      await stopServer();
    },
  };
};

const openControl = (
  url: string,
  shared: DatabaseOptions,
  config: Config,
  log: Log,
): Pick<Databases, 'control' | 'probe'> => {
  const place = { name: 'control', url, schema: 'public' };
  const asked = {
    ...shared,
    queryTimeoutMs,
    maxConnections: config.limits.databaseConnections,
    byIndex: true,
  };
  const probing = { maxConnections: 1, queryTimeoutMs: probeTimeoutMs, connectTimeoutMs: probeTimeoutMs };
  return {
    control: openJournaled(place, asked, { config, place: 'control', log }),
    probe: openDatabasePool(place, { ...shared, ...probing }),
  };
};

const openShard = (
  place: ShardDatabaseLocation,
  shared: DatabaseOptions,
  config: Config,
  log: Log,
): ShardDatabase => {
  const asked = { ...shared, queryTimeoutMs };
  const maxConnections = config.limits.databaseConnections;
  const scope = { config, place: { shard: place.name }, log };
  const database = openJournaled(place, { ...asked, maxConnections, byIndex: true }, scope);
  const others = {
    writers: openCommitPool(place, asked),
    bulk: openDatabasePool(place, { ...shared, maxConnections: bulkConnections, statementTimeoutMs: 0 }),
    longReads: openDatabasePool(place, { ...asked, maxConnections: longReadConnections, byIndex: true }),
    counting: openDatabasePool(place, {
      ...{ ...shared, maxConnections: 1, serial: true },
      ...{ statementTimeoutMs: countTimeoutMs, queryTimeoutMs: countTimeoutMs },
    }),
  };
  const close = async (): Promise<void> => {
    await Promise.all([database.close(), ...Object.values(others).map((pool) => pool.end())]);
  };
  return { ...database, ...others, close };
};

/** Sentences for rows that were acknowledged and may not stand. */
export const lostRowWarnings = ({ control, shards }: Databases): (string | undefined)[] =>
  [control, ...shards.values()].map(({ rowJournal }) => rowJournal.problem());

interface JournaledScope {
  config: Config;
  place: ControlOrShard;
  log: Log;
}

/** A database that is brought up to date, by its journal, before a connection to it is used. */
const openJournaled = (
  address: ShardDatabaseLocation,
  options: DatabaseOptions,
  { config, place, log }: JournaledScope,
): JournaledDatabase => {
  const merging = openDatabasePool(address, { ...options, maxConnections: mergingConnections });
  const rowJournal = openRowChangeJournal(config, place, merging, log);
  const database = openDatabase(address, { ...options, verify: (client) => rowJournal.verify(client) });
  setRowChangeWriter(database.pool, rowJournal.writer);
  return {
    ...database,
    prisma: rowJournal.client(database.prisma),
    rowJournal,
    close: async () => {
      await rowJournal.close();
      await database.close();
      await merging.end();
    },
  };
};
