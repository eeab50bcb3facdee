/** A PostgreSQL server of a test's own, from the embedded binaries: it may be stopped, killed, suspended and restored. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../../outside/world/ports.ts';
import { roomInMemory } from '../memoryFolder.ts';
import { owner, programs } from './programs.ts';
import {
  type DatabaseProgramCommand,
  createMountNamespaceWrapper,
} from '../../../src/store/embedded/exposeFoldersByMountNamespace.ts';

export interface TestServer {
  port: number;
  /** Address of the database `postgres`, as its superuser. */
  url: string;
  /** The data folder; it may be replaced while the server does not run. */
  data: string;
  /** One statement as its superuser, on a connection of its own. */
  ask<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** False: it was stopped, or has ended by itself. */
  isRunning(): boolean;
  /** Changes settings for good (`ALTER SYSTEM`, null: back to the default) and has them read. */
  set(settings: Record<string, string | null>): Promise<void>;
  /** Starts it and waits until it answers, as a standby where `standby.signal` says so. */
  start(): Promise<void>;
  /** A fast shutdown: sessions end, what is committed is sent to a standby. */
  stop(): Promise<void>;
  /** SIGKILL to all of its processes, as a machine that loses power. */
  kill(): Promise<void>;
  /** SIGSTOP to all of its processes: connections stay, nothing answers. */
  suspend(): void;
  resume(): void;
  /** Kills it and removes its folder. */
  close(): Promise<void>;
}

export interface ServerOptions {
  /** What differs from the usual settings. */
  settings?: Record<string, string>;
  /** Of its processes: `LD_PRELOAD` for a clock of its own. */
  env?: Record<string, string>;
}

const password = 'TestDatabasePassword0000000000w';

const usual: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '150',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  min_wal_size: '64MB',
  // What a standby that is held back must find later.
  wal_keep_size: '256MB',
  wal_retrieve_retry_interval: '200ms',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** Longer than a recovery on a busy machine, milliseconds. */
const startMs = 60_000;

/** What a pair with its backups writes at the most, with room to spare. */
const roomBytes = 4_000_000_000;

/** A folder in memory or in `tmp` that the server's user may pass through. */
export const serverFolder = (): string => {
  const folder = mkdtempSync(join(roomInMemory(roomBytes) ?? tmpdir(), 'ramal-postgres-'));
  chmodSync(folder, 0o711);
  return folder;
};

/** Makes a server with an empty database and starts it. `folder`: its own, new. */
export const openServer = async (folder = serverFolder(), options?: ServerOptions): Promise<TestServer> => {
  initialize(join(folder, 'data'));
  const server = serverOn(folder, await freePort(), options);
  await server.start();
  return server;
};

/** The server of `folder/data`, which does not run yet. */
export const serverOn = (folder: string, port: number, options: ServerOptions = {}): TestServer => {
  const settings = Object.entries({ ...usual, ...options.settings });
  const data = join(folder, 'data');
  const logFile = join(folder, 'log');
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;
  const isRunning = (): boolean => child?.exitCode === null && child.signalCode === null;

  const ask: TestServer['ask'] = async (sql, values) => {
    const client = new Client({
      ...{ connectionString: url, connectionTimeoutMillis: 20_000, query_timeout: 20_000 },
      options: '-c default_transaction_read_only=off',
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query(sql, values)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  };
  const signal = (name: NodeJS.Signals): void => {
    if (child?.pid === undefined || !isRunning()) return;
    // The postmaster first, so that it starts none anew.
    for (const pid of [child.pid, ...childrenOf(child.pid)]) sendSignal(pid, name);
  };
  const ended = async (): Promise<void> => {
    while (isRunning()) await pause(5);
  };
  const kill = async (): Promise<void> => {
    signal('SIGKILL');
    await ended();
  };
  const endWithUs = (): void => {
    signal('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', endWithUs);

  return {
    port,
    url,
    data,
    ask,
    isRunning,
    set: async (wanted) => {
      for (const [name, value] of Object.entries(wanted))
        await ask(value === null ? `ALTER SYSTEM RESET ${name}` : `ALTER SYSTEM SET ${name} = '${value}'`);
      await ask('SELECT pg_reload_conf()');
    },
    start: async () => {
      const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const log = openSync(logFile, 'a');
      const { program, args, identity } = asOwner(
        'postgres',
        ['-D', data, '-p', String(port), ...flags],
        options.env,
      );
      child = spawn(program, args, {
        ...identity,
        cwd: '/',
        detached: true,
        stdio: ['ignore', log, log],
        env: { LC_ALL: 'C' },
      });
      closeSync(log);
      const deadline = performance.now() + startMs;
      while (!(await ask('SELECT 1').then(yes, no))) {
        if (!isRunning() || performance.now() > deadline)
          throw new Error(`the server did not start: ${readFileSync(logFile, 'utf8').slice(-2_000)}`);
        await pause(20);
      }
    },
    stop: async () => {
      if (child?.pid !== undefined && isRunning()) child.kill('SIGINT');
      await ended();
    },
    kill,
    suspend: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    close: async () => {
      process.off('exit', endWithUs);
      await kill();
      // Its processes go a moment after it.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
};

const yes = (): boolean => true;
const no = (): boolean => false;

const initialize = (data: string): void => {
  const user = owner();
  const secret = `${data}.password`;
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(secret, password, { mode: 0o600 });
  if (user) for (const path of [data, secret]) chownSync(path, user.uid, user.gid);
  const options = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', secret, '-E', 'UTF8'];
  options.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-sync');
  const { program, args, identity } = asOwner('initdb', options);
  execFileSync(program, args, { ...identity, cwd: '/', stdio: 'pipe' });
};

/**
 * The clone may lie in a folder that is closed to the server's user. `env`: for the program, and not for what leads to it as
 * another user: a library that is loaded there would leave things of that user behind.
 */
const asOwner = (
  program: string,
  args: string[],
  env: Record<string, string> = {},
): DatabaseProgramCommand => {
  const bin = programs();
  const through = createMountNamespaceWrapper([dirname(bin)], owner(), () => {});
  const path = join(bin, program);
  const set = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return set.length === 0 ? through(path, args) : through('/usr/bin/env', [...set, path, ...args]);
};

/** Each session of a server is a process below the first one. */
const childrenOf = (pid: number): number[] => {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  } catch {
    return [];
  }
};

const sendSignal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
};
