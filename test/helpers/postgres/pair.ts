/** A primary and a streaming standby, to fail over and to put back. */
import { dirname, join } from 'node:path';
import { freePort, until } from '../../outside/world/ports.ts';
import { copyOnline, makeStandby, putBack } from './copy.ts';
import { openServer, serverFolder, serverOn, type TestServer } from './server.ts';

export interface Pair {
  primary: TestServer;
  standby: TestServer;
  /** Both as one address that finds the writable one. `database`: default `postgres`. */
  url(database?: string): string;
  /** Stops the stream: what is committed from now on, the standby lacks. With a synchronous standby commits hang then. */
  lag(): Promise<void>;
  /** Streams again, and waits until the standby has caught up. */
  follow(): Promise<void>;
  /** Waits until the standby has replayed all that the primary has written by now. */
  caughtUp(): Promise<void>;
  /** Makes the standby a primary of the next timeline, and waits until it takes writes. */
  promote(): Promise<void>;
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
   * from an archive leaves it. Default false: as files that somebody put back.
   */
  restore(server: TestServer, options?: { newTimeline?: boolean }): Promise<void>;
}

/** Longer than anything here takes on a busy machine, milliseconds. */
const patienceMs = 60_000;

/** `synchronous`: the primary confirms a commit when the standby has it as well. Default false. */
export const openPair = async ({ synchronous = false }: { synchronous?: boolean } = {}): Promise<Pair> => {
  const primary = await openServer();
  const folder = serverFolder();
  const standby = serverOn(folder, await freePort());
  try {
    const conninfo = conninfoOf(primary);
    await copyOnline(primary, standby.data);
    await makeStandby(standby.data, conninfo);
    await standby.start();
    const pair = pairOf(primary, standby, conninfo);
    await pair.caughtUp();
    if (synchronous) await setSynchronous(primary);
    return pair;
  } catch (error) {
    await Promise.all([primary.close(), standby.close()]);
    throw error;
  }
};

const pairOf = (primary: TestServer, standby: TestServer, conninfo: string): Pair => {
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
    primary,
    standby,
    url: (database = 'postgres') => {
      const url = new URL(primary.url);
      const login = `${url.username}:${url.password}`;
      return `postgresql://${login}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/${database}?target_session_attrs=read-write`;
    },
    lag: async () => {
      await standby.set({ primary_conninfo: '' });
      await mustBecome('the standby still streams', async () => (await standbysOf(primary)) === 0);
    },
    follow: async () => {
      await standby.set({ primary_conninfo: conninfo });
      await caughtUp();
    },
    caughtUp,
    promote: async () => {
      await standby.ask('SELECT pg_promote(true, 60)');
      await mustBecome('the standby was not promoted', async () => {
        const [row] = await standby.ask<{ is: boolean }>('SELECT pg_is_in_recovery() AS is');
        return !row!.is;
      });
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
export const backUp = async (server: TestServer): Promise<Backup> => {
  const folder = join(dirname(server.data), `backup-${process.hrtime.bigint()}`);
  await copyOnline(server, folder);
  return {
    restore: async (onto, { newTimeline = false } = {}) => {
      await onto.kill();
      await putBack(folder, onto.data, newTimeline);
      await onto.start();
      await mustBecome('the restored server takes no writes', async () => {
        const [row] = await onto.ask<{ is: boolean }>('SELECT pg_is_in_recovery() AS is');
        return !row!.is;
      });
    },
  };
};

const setSynchronous = async (primary: TestServer): Promise<void> => {
  await primary.set({ synchronous_standby_names: 'standby' });
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
