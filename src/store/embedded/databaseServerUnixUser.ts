/** Who the database server runs as. PostgreSQL refuses to run as root, so root lends it another user. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, statSync } from 'node:fs';

export interface UnixUserIds {
  uid: number;
  gid: number;
}

/** The user for the server when we are root; undefined when we run as an ordinary user and it can be us. */
export function resolveDatabaseServerUser(): UnixUserIds | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return lookUp('postgres') ?? (createUser('postgres'), lookUp('postgres')) ?? lookUp('nobody');
}

function lookUp(user: string): UnixUserIds | undefined {
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, user], { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

function createUser(user: string): void {
  const options = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin'];
  try {
    execFileSync('useradd', [...options, user], { stdio: 'ignore' });
  } catch {
    // No useradd here, or another process was faster; the look-up that follows tells.
  }
}

/**
 * Lets the server's group pass through `DATA_DIR` itself, for passing and not for listing. Folders outside of it keep
 * their modes and groups (`inferTransitionPath.ts`). Throws a sentence where that would take access from another user.
 */
export function allowFolderTraversal(dataDir: string, identity: UnixUserIds): void {
  const { mode, uid, gid } = statSync(dataDir);
  if (canTraverseFolder({ mode, uid, gid }, identity)) return;
  if (uid !== 0 || mode & 0o070) {
    throw new Error(
      `the database runs as user ${identity.uid} and may not pass through ${dataDir}: allow it (chmod o+x ${dataDir}), or choose another DATA_DIR`,
    );
  }
  chownSync(dataDir, uid, identity.gid);
  chmodSync(dataDir, (mode & 0o7777) | 0o010);
}

/** Whether the user may pass through a folder. */
export function canTraverseFolder(
  folder: { mode: number; uid: number; gid: number },
  identity: UnixUserIds,
): boolean {
  if (folder.uid === identity.uid) return (folder.mode & 0o100) !== 0;
  if (folder.gid === identity.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}
