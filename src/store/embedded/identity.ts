/** Who the database server runs as. PostgreSQL refuses to run as root, so root lends it another user. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Identity {
  uid: number;
  gid: number;
}

/** The user for the server when we are root; undefined when we run as an ordinary user and it can be us. */
export function serverIdentity(): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return lookUp('postgres') ?? (createUser('postgres'), lookUp('postgres')) ?? lookUp('nobody');
}

function lookUp(user: string): Identity | undefined {
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
 * Lets `identity` pass through every folder above `path`.
 *
 * A folder of root's that is closed to everybody else (`/root`, `mktemp -d`) is opened to the server's group alone,
 * for passing and not for listing; `opened` hears of it. Throws a sentence for a folder where that would take something
 * from somebody else.
 */
export function letPass(path: string, identity: Identity, opened: (folder: string) => void): void {
  const parent = dirname(path);
  if (parent === path) return;
  letPass(parent, identity, opened);
  const { mode, uid, gid } = statSync(parent);
  if (canPass({ mode, uid, gid }, identity)) return;
  if (uid !== 0 || mode & 0o070) {
    throw new Error(
      `the database runs as user ${identity.uid} and may not pass through ${parent}: allow it (chmod o+x ${parent}), or choose another DATA_DIR`,
    );
  }
  chownSync(parent, uid, identity.gid);
  chmodSync(parent, (mode & 0o7777) | 0o010);
  opened(parent);
}

function canPass(folder: { mode: number; uid: number; gid: number }, identity: Identity): boolean {
  if (folder.uid === identity.uid) return (folder.mode & 0o100) !== 0;
  if (folder.gid === identity.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}
