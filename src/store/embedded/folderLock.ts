/**
 * One server a folder, also where processes do not see each other: containers that share a volume have process ids of
 * their own, and PostgreSQL's own lock is a process id.
 *
 * A server that is started inherits a socket that listens in `guard/`, and so does each of its processes. As long as
 * one of them lives any process that shares the folder can connect: the kernel answers, and no accept is needed. A
 * starter listens first and then tries the sockets of all others: of two that start at once at least one finds the
 * other, and gives way.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, linkSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { type Server, connect, createServer } from 'node:net';
import { join } from 'node:path';

export interface DatabaseFolderLock {
  /** The socket as an entry of a child's `stdio`; undefined where this folder or system has none. */
  descriptor: number | undefined;
  /** Ends this process's part: what the server inherited stays, or, where there is none, the folder is free. */
  close(): void;
}

const draft = '.new';
/** A socket's path may have some hundred bytes, whatever a folder's may have. */
const maxPathBytes = 100;
/** A folder on a system of files without sockets (some shared mounts): there is no guard there. */
const noSockets = new Set(['EACCES', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EROFS', 'ENAMETOOLONG']);

/**
 * Takes the folder for a server that is about to start. Undefined: a server, or what is left of one, lives on it, or
 * another process starts one at this moment. `note` hears where there can be no guard.
 */
export async function lockDatabaseFolder(
  folder: string,
  note: (line: string) => void,
): Promise<DatabaseFolderLock | undefined> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const within = shortened(folder);
  const name = randomUUID();
  try {
    const socket = await listen(join(within.path, name + draft));
    // The draft's name goes when this process closes its socket; the other stays for those who inherit it.
    linkSync(join(folder, name + draft), join(folder, name));
    const close = (): void => {
      socket.close();
      within.close();
    };
    if (await isFree(folder, within.path, name)) return { descriptor: descriptorOf(socket), close };
    close();
    rmSync(join(folder, name), { force: true });
    return undefined;
  } catch (error) {
    within.close();
    // Another process, which asks as well, took our draft for one of the dead: it has the folder.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (!noSockets.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    note(`${folder} cannot hold sockets: do not share it between containers`);
    return { descriptor: undefined, close: () => {} };
  }
}

/** Whether no other socket of the folder is alive; those of the dead are removed. */
async function isFree(folder: string, path: string, mine: string): Promise<boolean> {
  for (const name of readdirSync(folder)) {
    if (name === mine || name === mine + draft) continue;
    if (await isAlive(join(path, name))) {
      // Who has only a draft by now has yet to look at us.
      if (name.endsWith(draft)) continue;
      return false;
    }
    rmSync(join(folder, name), { force: true });
  }
  return true;
}

/** Alive is whatever does not refuse, a queue of connections that is full among it. */
function isAlive(path: string): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(path);
    socket.once('connect', () => answer(true));
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      answer(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
    socket.once('connect', () => socket.destroy());
  });
}

function listen(path: string): Promise<Server> {
  return new Promise((listening, fail) => {
    const server = createServer().once('error', fail);
    server.listen(path, () => listening(server.unref()));
  });
}

/** The folder under a name that is short enough; where it has none, its own. */
function shortened(folder: string): { path: string; close(): void } {
  if (Buffer.byteLength(join(folder, randomUUID() + draft)) <= maxPathBytes || process.platform !== 'linux')
    return { path: folder, close: () => {} };
  const descriptor = openSync(folder, 'r');
  return { path: `/proc/self/fd/${descriptor}`, close: () => closeSync(descriptor) };
}

/** Node hands servers to its own kind only; any other program takes the number. */
const descriptorOf = (server: Server): number | undefined => {
  const { fd } = (server as unknown as { _handle: { fd?: number } })._handle;
  return fd !== undefined && fd >= 0 ? fd : undefined;
};
