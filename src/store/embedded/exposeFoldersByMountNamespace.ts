/**
 * How the database's programs, run by root as another user, reach folders below one that is closed to that user (`/root`).
 *
 * No folder above gets another mode. The programs get a view of their own instead, a mount namespace: in it the closed
 * folder is an empty one that holds nothing but those that they need, at the same paths. It ends with its last process.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { canTraverseFolder, type UnixUserIds } from './databaseServerUnixUser.ts';

export interface DatabaseProgramCommand {
  program: string;
  args: string[];
  /** Who runs it. Absent: this process's user. */
  identity?: UnixUserIds;
}

/** A command as it is to be run, so that its user reaches what it needs. */
export type DatabaseProgramCommandWrapper = (program: string, args: string[]) => DatabaseProgramCommand;

/**
 * For commands that need `folders`. `note` hears, in a sentence, when there is a view. Throws a sentence on a machine
 * that does not allow mount namespaces.
 */
export function createMountNamespaceWrapper(
  folders: readonly string[],
  identity: UnixUserIds | undefined,
  note: (line: string) => void,
): DatabaseProgramCommandWrapper {
  if (!identity) return (program, args) => ({ program, args });
  const closed = [...new Set(folders.flatMap((folder) => closedAbove(folder, identity) ?? []))];
  if (closed.length === 0) return (program, args) => ({ program, args, identity });
  const needed = folders.filter((folder) => closedAbove(folder, identity) !== undefined);
  const script = viewOf(closed, needed, identity);
  const passage: DatabaseProgramCommandWrapper = (program, args) => ({
    program: 'unshare',
    args: ['-m', 'sh', '-c', script, 'ramal', program, ...args],
  });
  for (const folder of needed) tryOut(passage, folder, closed, identity);
  note(
    `the database reaches ${needed.join(' and ')} in a view of its own: ${closed.join(' and ')} stays closed to it`,
  );
  return passage;
}

/** The topmost folder above a path that the user may not pass through; undefined: there is none. */
function closedAbove(path: string, identity: UnixUserIds): string | undefined {
  const parent = dirname(path);
  if (parent === path) return undefined;
  return (
    closedAbove(parent, identity) ?? (canTraverseFolder(statSync(parent), identity) ? undefined : parent)
  );
}

/** Descriptors by which a shell holds the folders while what is above them is covered; 3 is the database's guard. */
const descriptors = [8, 9];

const viewOf = (closed: readonly string[], needed: readonly string[], { uid, gid }: UnixUserIds): string => {
  const held = needed.map((folder, n) => ({ path: quoted(folder), descriptor: descriptors[n]! }));
  return [
    'set -e; umask 022',
    ...held.map(({ path, descriptor }) => `exec ${descriptor}< ${path}`),
    ...closed.map((folder) => `mount -t tmpfs -o mode=755,size=64k ramal ${quoted(folder)}`),
    ...held.map(({ path, descriptor }) =>
      // Not looked up by its name, which leads to the empty folder by now.
      [
        `mkdir -p ${path}`,
        `mount -c --bind /proc/self/fd/${descriptor} ${path}`,
        `exec ${descriptor}<&-`,
      ].join('; '),
    ),
    `exec setpriv --reuid ${uid} --regid ${gid} --clear-groups -- "$@"`,
  ].join('\n');
};

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;

function tryOut(
  passage: DatabaseProgramCommandWrapper,
  folder: string,
  closed: readonly string[],
  { uid }: UnixUserIds,
): void {
  const { program, args } = passage('test', ['-x', folder]);
  const { status } = spawnSync(program, args, { stdio: 'ignore', cwd: '/' });
  if (status === 0) return;
  throw new Error(
    `the database runs as user ${uid}, who does not reach ${folder}: ${closed.join(' and ')} is closed, and stays so. Choose a DATA_DIR that every user can reach (for example DATA_DIR=/var/lib/ramal), with the clone in such a folder too, or start Ramal as another user than root`,
  );
}
