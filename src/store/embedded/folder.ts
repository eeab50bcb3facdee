/**
 * The database's folder: `<DATA_DIR>/postgres` with
 *   data/      PostgreSQL's own, closed to all but the server's user
 *   password   of the user `postgres`, mode 0600
 *   users/     which processes use it
 *   guard/     the socket that the server's processes keep open (`folderLock.ts`)
 *   log        what the server says; `log.1` is the run before
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresBinaries } from './binaries.ts';
import {
  DRAFT_PREFIX,
  forgetDraftMaker,
  noteDraftMaker,
  removeAbandonedDrafts,
} from './removeAbandonedDrafts.ts';
import { type UnixUserIds, allowFolderTraversal } from './databaseServerUnixUser.ts';
import {
  type DatabaseProgramCommandWrapper,
  createMountNamespaceWrapper,
} from './exposeFoldersByMountNamespace.ts';

const run = promisify(execFile);

export interface DatabaseFolder {
  data: string;
  users: string;
  guard: string;
  log: string;
  password: string;
  /** How the server's programs are run. */
  passage: DatabaseProgramCommandWrapper;
}

/** Opens the folder, making it when it is not there. Throws a sentence when another major version made it. */
export async function openDatabaseFolder(
  dataDir: string,
  bin: PostgresBinaries,
  identity: UnixUserIds | undefined,
  note: (line: string) => void,
): Promise<DatabaseFolder> {
  const root = join(dataDir, 'postgres');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (identity) allowFolderTraversal(dataDir, identity);
  const passage = createMountNamespaceWrapper([dataDir, dirname(dirname(bin.postgres))], identity, note);
  removeAbandonedDrafts(dataDir);
  if (!existsSync(root)) await create(dataDir, root, { bin, identity, passage });
  const data = join(root, 'data');
  refuseOtherMajor(data, bin.major);
  return {
    data,
    users: join(root, 'users'),
    guard: join(root, 'guard'),
    log: join(root, 'log'),
    password: readFileSync(join(root, 'password'), 'utf8'),
    passage,
  };
}

/** With what, and as whom, a database is made. */
interface Maker {
  bin: PostgresBinaries;
  identity: UnixUserIds | undefined;
  passage: DatabaseProgramCommandWrapper;
}

/** Made beside its place and moved there whole: of two processes that begin at once, one wins and both go on. */
async function create(dataDir: string, root: string, maker: Maker): Promise<void> {
  const { identity } = maker;
  const draft = mkdtempSync(join(dataDir, DRAFT_PREFIX));
  try {
    noteDraftMaker(draft);
    const data = join(draft, 'data');
    mkdirSync(data, { mode: 0o700 });
    chmodSync(draft, 0o711);
    if (identity) chownSync(data, identity.uid, identity.gid);
    await initialize(draft, data, maker);
    forgetDraftMaker(draft);
    renameSync(draft, root);
  } catch (error) {
    if (!existsSync(root)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function initialize(draft: string, data: string, { bin, identity, passage }: Maker): Promise<void> {
  const password = join(draft, 'password');
  writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (identity) chownSync(password, identity.uid, identity.gid);
  const options = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    '--pwfile',
    password,
    '-E',
    'UTF8',
    '--locale=C',
  ];
  // Sorted by code point like C, and letters with accents still have an upper and a lower case.
  options.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  const { program, args, identity: user } = passage(bin.initdb, options);
  await run(program, args, { ...user, cwd: '/' });
  if (identity) chownSync(password, 0, 0);
}

function refuseOtherMajor(data: string, major: string): void {
  const made = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (made === major) return;
  throw new Error(
    `${data} was made by PostgreSQL ${made} and this release runs PostgreSQL ${major}: back it up with the release that made it (npx ramal backup) and restore it into another DATA_DIR`,
  );
}
