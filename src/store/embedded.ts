/**
 * The embedded default: a real PostgreSQL from npm, in `<dataDir>/postgres`.
 *
 * The server is a process of its own that outlives ours. A process that was killed leaves it running, and the next
 * start adopts it; processes that share a folder share the server, and the last one to leave stops it. A server that
 * dies under them comes back at the same address.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type PostgresBinaries, bundledPostgresBinaries } from './embedded/binaries.ts';
import { type DatabaseFolder, openDatabaseFolder } from './embedded/folder.ts';
import { type DatabaseFolderLock, lockDatabaseFolder } from './embedded/folderLock.ts';
import { resolveDatabaseServerUser } from './embedded/databaseServerUnixUser.ts';
import { keepDatabaseServerRunning } from './embedded/supervisor.ts';
import {
  type PostmasterStatus,
  readPostmasterStatus,
  stopPostgresServer,
} from './embedded/postmasterStatusAndStop.ts';
import { openEmbeddedDatabaseClientRegistry } from './embedded/processesUsingDatabase.ts';

const pollMs = 10;
/** Reasons not to start that go away: another process starts it, a dead server's sessions end, a port was just taken. */
const mayPass = /postmaster\.pid|still in use|already in use|cannot see/;
const patienceMs = 10_000;

/** Given on the command line, so that no file in the folder can say otherwise. */
const settings: Record<string, string> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  max_connections: '200',
  shared_buffers: '256MB',
  // A checkpoint writes whole pages again: seldom and spread out is less work, and recovery stays below a minute.
  max_wal_size: '4GB',
  // What was written once is written over: a new segment stops every commit while it is filled with zeros.
  min_wal_size: '1GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  // Hot tables are small and rewritten all the time.
  autovacuum_naptime: '15s',
};

export interface EmbeddedPostgres {
  /** Address of the maintenance database `postgres`, user and password included. */
  url: string;
  /** True when the server was running already. */
  adopted: boolean;
  /** Signs out; the last user of the folder stops the server and waits for it. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Made when it is not there. Two processes may share it. */
  dataDir: string;
  /** Hears what an operator should know, a line each. */
  log?: (line: string) => void;
}

/** Starts or adopts the server of `dataDir`. Throws a sentence for a folder it may not use. */
export async function startEmbeddedPostgres({
  dataDir,
  log = () => {},
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const bin = bundledPostgresBinaries();
  const identity = resolveDatabaseServerUser();
  const folder = await openDatabaseFolder(resolve(dataDir), bin, identity, log);
  const users = openEmbeddedDatabaseClientRegistry(folder.users);
  await users.enter();
  const leave = () => users.leave(() => stopPostgresServer(folder.data));
  try {
    const { server, adopted } = await findOrStart({ folder, bin, log });
    const { port } = server;
    const supervisor = keepDatabaseServerRunning(
      {
        isRunning: () => readPostmasterStatus(folder.data) !== undefined,
        start: () => findOrStart({ folder, bin, log, port }),
      },
      log,
    );
    return {
      url: `postgresql://postgres:${folder.password}@127.0.0.1:${port}/postgres`,
      adopted,
      stop: async () => {
        await supervisor.stop();
        await leave();
      },
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

interface Place {
  folder: DatabaseFolder;
  bin: PostgresBinaries;
  log: (line: string) => void;
  /** Where it must listen; absent: wherever there is room. */
  port?: number;
}

async function findOrStart(place: Place): Promise<{ server: PostmasterStatus; adopted: boolean }> {
  const { folder } = place;
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const running = readPostmasterStatus(folder.data);
    if (running?.status === 'ready') return { server: running, adopted: true };
    // Another process started it a moment ago, or it is on its way down.
    if (running) {
      await pause(pollMs);
      continue;
    }
    const started = await launchAlone(place);
    if (typeof started === 'object') return { server: started, adopted: false };
    if (!mayPass.test(started) || performance.now() > deadline)
      throw new Error(`the database did not start: ${started}`);
    // Two that gave way to each other do not meet again at once.
    await pause(pollMs * (5 + 10 * Math.random()));
  }
}

/** As `launch`, unless a server runs on the folder that this process cannot see. */
async function launchAlone(place: Place): Promise<PostmasterStatus | string> {
  const { folder, log } = place;
  const guard = await lockDatabaseFolder(folder.guard, log);
  if (!guard)
    return `a PostgreSQL that this process cannot see runs on ${folder.data} (in another container, or what is left of one that was killed): give each container a DATA_DIR of its own, or all of them one server (DATABASE_URL)`;
  try {
    return await launch(place, guard, place.port ?? (await freePort()));
  } finally {
    guard.close();
  }
}

/** The server once it is ready, however long a recovery takes; or its last words. */
async function launch(
  { folder, bin }: Place,
  { descriptor }: DatabaseFolderLock,
  port: number,
): Promise<PostmasterStatus | string> {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const output = openLog(folder.log);
  const command = folder.passage(bin.postgres, ['-D', folder.data, '-p', String(port), ...options]);
  const child = spawn(command.program, command.args, {
    ...command.identity,
    cwd: '/',
    // A group of its own: Ctrl-C in a terminal must not stop the database before we have written what we know.
    detached: true,
    stdio: ['ignore', output, output, ...(descriptor === undefined ? [] : [descriptor])],
    env: { LC_ALL: 'C' },
  });
  closeSync(output);
  child.unref();
  const end = new Promise<'ended'>((resolveEnd, fail) => {
    child.once('exit', () => resolveEnd('ended'));
    child.once('error', fail);
  });
  while ((await Promise.race([end, pause(pollMs)])) !== 'ended') {
    const server = readPostmasterStatus(folder.data);
    if (server?.status === 'ready' && server.pid === child.pid) return server;
    await pause(pollMs);
  }
  return lastWords(folder.log);
}

const maxLogBytes = 16_000_000;

function openLog(path: string): number {
  if (existsSync(path) && statSync(path).size > maxLogBytes) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

function lastWords(log: string): string {
  return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-3).join(' | ');
}

/** A port that was free a moment ago; when another process takes it first, the next try asks again. */
function freePort(): Promise<number> {
  return new Promise((found, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    });
  });
}
