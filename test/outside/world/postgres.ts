/** The database of the nodes: a primary and a standby that streams, each behind a gate, from the binaries of npm. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Backup, openPair, type Pair } from '../../helpers/postgres/pair.ts';
import type { TestServer } from '../../helpers/postgres/server.ts';
import { type Gate, openGates } from './gates.ts';
import { until } from './ports.ts';

export interface Postgres {
  /** Both servers as one address, through their gates. */
  url: string;
  password: string;
  pair: Pair;
  /** Before the primary; and before both. */
  gate(): Gate;
  gates: readonly Gate[];
  /** Every write is refused (25006), as by a server that was demoted; or no more. */
  setReadOnly(readOnly: boolean): Promise<void>;
  /** An online copy of the primary, for `goBack`; the one before is thrown away. */
  keepCopy(): Promise<void>;
  /** Puts the copy in the place of the primary's data; how old it is, milliseconds. The standby is to be rebuilt then. */
  goBack(): Promise<number>;
  /** Starts what has ended by itself, as servers do whose log has no room; whether the primary had. */
  revive(): Promise<boolean>;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Of the two servers; is made. */
  folder: string;
  /** Beside the judge's own: `LD_PRELOAD` for their clock. */
  env?: Record<string, string>;
}

/** Both share a disk with copies of one of them. */
const settings = { wal_keep_size: '96MB', max_connections: '180' };

export const startPostgres = async ({ folder, env = {} }: PostgresOptions): Promise<Postgres> => {
  const folders = [join(folder, 'left'), join(folder, 'right')] as const;
  for (const one of [folder, ...folders]) {
    mkdirSync(one, { recursive: true });
    chmodSync(one, 0o755);
  }
  const pair = await openPair({ folders, settings, env });
  const ports = [pair.primary.port, pair.standby.port];
  const gates = await openGates(ports);
  let copy: { backup: Backup; at: number } | undefined;
  const { username, password } = new URL(pair.primary.url);
  const hosts = gates.all.map(({ port }) => `127.0.0.1:${port}`).join();
  return {
    url: `postgresql://${username}:${password}@${hosts}/postgres?target_session_attrs=read-write`,
    password,
    pair,
    gate: () => gates.all[ports.indexOf(pair.primary.port)]!,
    gates: gates.all,
    setReadOnly: (readOnly) => pair.primary.set({ default_transaction_read_only: readOnly ? 'on' : null }),
    keepCopy: async () => {
      await copy?.backup.discard();
      copy = { backup: await pair.backup(), at: performance.now() };
    },
    goBack: async () => {
      if (!copy) throw new Error('there is no copy to go back to');
      const ageMs = performance.now() - copy.at;
      // It would follow nothing: it is further than what it followed.
      await pair.standby.kill();
      await copy.backup.restore(pair.primary);
      return ageMs;
    },
    revive: async () => {
      const ended = await startAgain(pair.primary);
      await startAgain(pair.standby).catch(() => {});
      // A standby that has no room for what it is sent may be beyond help.
      if (!(await streams(pair))) await pair.rebuild();
      return ended;
    },
    stop: async () => {
      gates.stop();
      await pair.close();
    },
  };
};

/** Whether it had ended. */
const startAgain = async (server: TestServer): Promise<boolean> => {
  const answers = (): Promise<boolean> =>
    server.ask('SELECT 1').then(
      () => true,
      () => false,
    );
  // It may be about to end.
  await until(answers, 3_000);
  const ended = !server.isRunning();
  if (ended) await server.start();
  else await until(answers, 60_000);
  return ended;
};

const streams = (pair: Pair): Promise<boolean> =>
  until(
    () =>
      pair.primary.ask<{ n: number }>('SELECT count(*)::int AS n FROM pg_stat_replication').then(
        ([row]) => row!.n > 0,
        () => false,
      ),
    5_000,
  );
