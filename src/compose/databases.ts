/** The databases of this process: opened, brought to this release, and closed in order; the embedded one last. */
import type { Pool } from 'pg';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { startEmbedded } from '../store/embedded.ts';
import { migrate } from '../store/migrate.ts';
import { keepPartitions } from '../store/partitions.ts';
import { assertDurable, openPool, openWriters } from '../store/pool.ts';

export interface ShardDatabase extends Database {
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
  control: Database;
  /** One connection to the control database, which shows whether it answers however busy the others are. */
  probe: Pool;
  shards: ReadonlyMap<string, ShardDatabase>;
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

const openAll = async (
  config: Config,
  log: Log,
  url: string,
  stopServer: () => Promise<void>,
): Promise<Databases> => {
  const broken = (name: string) => (error: Error) =>
    log.warn({ err: error, database: name }, 'a connection broke');
  const asked = (name: string) => ({ queryTimeoutMs, onConnectionError: broken(name) });
  const maxConnections = config.limits.databaseConnections;
  await withPool(url, 'public', async (pool) => {
    await assertDurable(pool);
    await migrate(pool, 'public', undefined, { note: (line) => log.info({ database: 'control' }, line) });
  });
  const control = openDatabase(
    { name: 'control', url, schema: 'public' },
    { ...asked('control'), maxConnections, byIndex: true },
  );
  const probe = openPool(
    { name: 'control', url, schema: 'public' },
    {
      ...{ maxConnections: 1, queryTimeoutMs: probeTimeoutMs, connectTimeoutMs: probeTimeoutMs },
      onConnectionError: broken('control'),
    },
  );
  const shards = new Map<string, ShardDatabase>();
  const opened: { close(): Promise<void> }[] = [control, closing(probe)];
  for (const setting of config.shards) {
    const at = { url: setting.url ?? url, schema: setting.schema };
    const place = { name: setting.name, ...at };
    const database = openDatabase(place, { ...asked(place.name), maxConnections, byIndex: true });
    const writers = openWriters(place, asked(place.name));
    const bulk = openPool(place, {
      ...{ maxConnections: bulkConnections, statementTimeoutMs: 0 },
      onConnectionError: broken(place.name),
    });
    const longReads = openPool(place, {
      ...asked(place.name),
      ...{ maxConnections: longReadConnections, byIndex: true },
    });
    const counting = openPool(place, {
      ...{
        maxConnections: 1,
        statementTimeoutMs: countTimeoutMs,
        queryTimeoutMs: countTimeoutMs,
        serial: true,
      },
      onConnectionError: broken(place.name),
    });
    opened.push(database, ...[writers, bulk, longReads, counting].map(closing));
    shards.set(place.name, { ...database, writers, bulk, longReads, counting });
    await prepare(setting.name, at, config, log);
  }
  return {
    control,
    probe,
    shards,
    close: async () => {
      await Promise.all(opened.map((database) => database.close()));
      await stopServer();
    },
  };
};

/** One shard that is away must not keep the others from starting. */
const prepare = async (
  shard: string,
  at: { url: string; schema: string },
  config: Config,
  log: Log,
): Promise<void> => {
  try {
    await withPool(at.url, at.schema, async (pool) => {
      await assertDurable(pool);
      const note = (line: string): void => log.info({ shard }, line);
      const applied = await migrate(pool, at.schema, undefined, { note });
      if (applied.length > 0) log.info({ shard, applied }, 'migrated');
      // Only made here: what is dropped is for the shard's time to say, not for this host's clock.
      await keepPartitions(pool, { now: Date.now(), keepDays: Infinity });
    });
  } catch (error) {
    if (config.shards.length === 1) throw error;
    log.error({ err: error, shard }, 'the shard could not be prepared; its accounts wait');
  }
};

/** Preparing may take its time, so it has connections of its own. */
const withPool = async <T>(url: string, schema: string, use: (pool: Pool) => Promise<T>): Promise<T> => {
  const pool = openPool({ name: 'preparing', url, schema }, { maxConnections: 2, statementTimeoutMs: 0 });
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
};

/** The service's own database in the embedded server. */
const embeddedDatabase = async (serverUrl: string): Promise<string> => {
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
