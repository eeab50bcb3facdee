/** A primary and a streaming standby, to fail over and to restore. */
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { freePort, until } from '../../outside/world/ports.ts';
import { copyOnline, makeStandby, restoreCopy } from './copy.ts';
import { openServer, serverFolder, type ServerOptions, serverOn, type TestServer } from './server.ts';

export interface Pair {
  /** As they are called, also after a promotion; `rebuild` changes the names. */
  readonly primary: TestServer;
  readonly standby: TestServer;
  /** Both as one address that finds the writable one. `database`: default `postgres`. */
  url(database?: string): string;
  /** Whether the primary confirms a commit when the standby has it as well; waits until that is so. */
  setSynchronous(synchronous: boolean): Promise<void>;
  /** Stops the stream: what is committed from now on, the standby lacks. With a synchronous standby commits hang then. */
  lag(): Promise<void>;
  /** Streams again, and waits until the standby has caught up. */
  follow(): Promise<void>;
  /** Waits until the standby has replayed all that the primary has written by now. */
  caughtUp(): Promise<void>;
  /** Makes the standby a primary of the next timeline, and waits until it takes writes. */
  promote(): Promise<void>;
  /**
   * Makes a standby of the server that takes no writes, with a fresh copy of the other, and waits until it has caught up.
   * After `promote` the two change their names; else it is the standby that is made anew.
   */
  rebuild(): Promise<void>;
  stopPrimary(): Promise<void>;
  killPrimary(): Promise<void>;
  /** An online backup of the primary. */
  backup(): Promise<Backup>;
  /** Stops both servers, whatever they do, and removes their folders. */
  close(): Promise<void>;
}

export interface Backup {
  /**
   * Puts the backup in the place of a server's data and starts it there, on the same port. `newTimeline`: as a recovery
   * from an archive leaves it. Default false: as files that were restored.
   */
  restore(server: TestServer, options?: { newTimeline?: boolean }): Promise<void>;
  /** Removes it. */
  discard(): Promise<void>;
}

/** Longer than anything here takes on a busy machine, milliseconds. */
const patienceMs = 60_000;

export interface PairOptions extends ServerOptions {
  /** The primary confirms a commit when the standby has it as well. Default false. */
  synchronous?: boolean;
  /** New folders of the two. Default: in memory where there is room. */
  folders?: readonly [string, string];
}

export const openPair = async ({
  synchronous = false,
  folders: [first, second] = [serverFolder(), serverFolder()],
  ...options
}: PairOptions = {}): Promise<Pair> => {
  const primary = await openServer(first, options);
  const standby = serverOn(second, await freePort(), options);
  try {
    await follow(standby, primary);
    const pair = pairOf(primary, standby);
    await pair.caughtUp();
    if (synchronous) await pair.setSynchronous(true);
    return pair;
  } catch (error) {
    await Promise.all([primary.close(), standby.close()]);
    throw error;
  }
};

/** Starts a server, that does not run and has no data, on a fresh copy of another, which it follows. */
const follow = async (standby: TestServer, primary: TestServer): Promise<void> => {
  await copyOnline(primary, standby.data);
  await makeStandby(standby.data, conninfoOf(primary));
  await standby.start();
};

const pairOf = (first: TestServer, second: TestServer): Pair => {
  let [primary, standby] = [first, second];
  let isPromoted = false;
  const caughtUp = async (): Promise<void> => {
    const [at] = await primary.ask<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn');
    await mustBecome('the standby did not catch up', async () => {
      const [row] = await standby.ask<{ there: boolean }>(
        'SELECT coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) AS there',
        [at!.lsn],
      );
      return row!.there;
    });
  };
  return {
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    url: (database = 'postgres') => {
      const url = new URL(first.url);
      const login = `${url.username}:${url.password}`;
      return `postgresql://${login}@127.0.0.1:${first.port},127.0.0.1:${second.port}/${database}?target_session_attrs=read-write`;
    },
    setSynchronous: (synchronous) => setSynchronous(primary, synchronous),
    lag: async () => {
      await standby.set({ primary_conninfo: '' });
      await mustBecome('the standby still streams', async () => (await standbysOf(primary)) === 0);
    },
    follow: async () => {
      await standby.set({ primary_conninfo: conninfoOf(primary) });
      await caughtUp();
    },
    caughtUp,
    promote: async () => {
      isPromoted = true;
      await standby.ask('SELECT pg_promote(true, 60)');
      await mustBecome('the standby was not promoted', async () => {
        const [row] = await standby.ask<{ is: boolean }>('SELECT pg_is_in_recovery() AS is');
        return !row!.is;
      });
    },
    rebuild: async () => {
      if (isPromoted) [primary, standby] = [standby, primary];
      isPromoted = false;
      await standby.kill();
      await rm(standby.data, { recursive: true, force: true });
      await follow(standby, primary);
      await caughtUp();
    },
    stopPrimary: () => primary.stop(),
    killPrimary: () => primary.kill(),
    backup: () => backUp(primary),
    close: async () => {
      await Promise.all([primary.close(), standby.close()]);
    },
  };
};

/** An online backup of a server that runs; it lies beside the server's data and goes with it. */
const backUp = async (server: TestServer): Promise<Backup> => {
  const folder = join(dirname(server.data), `backup-${process.hrtime.bigint()}`);
  await copyOnline(server, folder);
  return {
    restore: async (onto, { newTimeline = false } = {}) => {
      await onto.kill();
      await restoreCopy(folder, onto.data, newTimeline);
      await onto.start();
      await mustBecome('the restored server takes no writes', async () => {
        const [row] = await onto.ask<{ is: boolean }>('SELECT pg_is_in_recovery() AS is');
        return !row!.is;
      });
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  };
};

const setSynchronous = async (primary: TestServer, synchronous: boolean): Promise<void> => {
  await primary.set({ synchronous_standby_names: synchronous ? 'standby' : null });
  if (!synchronous) return;
  await mustBecome('the standby is not synchronous', async () => {
    const [row] = await primary.ask<{ is: boolean }>(
      `SELECT count(*) > 0 AS is FROM pg_stat_replication WHERE sync_state = 'sync'`,
    );
    return row!.is;
  });
};

const conninfoOf = ({ url }: TestServer): string => {
  const { username, password, port } = new URL(url);
  return `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`;
};

const standbysOf = async (server: TestServer): Promise<number> => {
  const [row] = await server.ask<{ n: number }>('SELECT count(*)::int AS n FROM pg_stat_replication');
  return row!.n;
};

const mustBecome = async (otherwise: string, look: () => Promise<boolean>): Promise<void> => {
  if (!(await until(look, patienceMs, 20))) throw new Error(otherwise);
};
