/** A copy of a running server's data folder, as an online backup takes it: for a standby, or to be restored later. */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { owner } from './programs.ts';
import type { TestServer } from './server.ts';

const run = promisify(execFile);

/** Not of the copy: what belongs to the process, and the log, which comes by itself. */
const left = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'standby.signal']);

/** Copies into the new folder `to`; a server on it starts with what was committed when this returned, or a little more. */
export const copyOnline = async ({ url, data }: TestServer, to: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('test', true)`);
    mkdirSync(to, { mode: 0o700 });
    for (const entry of readdirSync(data)) if (!left.has(entry)) await copy(join(data, entry), to);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    mkdirSync(join(to, 'pg_replslot'));
    await copy(join(data, 'pg_wal'), to);
    mkdirSync(join(to, 'pg_wal/archive_status'), { recursive: true });
    writeFileSync(join(to, 'backup_label'), rows[0]!.labelfile);
  } finally {
    await client.end();
  }
  await own(to);
};

/** Makes the server of `data` follow the one at `port` when it starts, under the name `standby`. */
export const makeStandby = async (data: string, primaryConninfo: string): Promise<void> => {
  writeFileSync(join(data, 'standby.signal'), '');
  // What the copied server was set to (a standby that it waits for) is not the copy's.
  writeFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primaryConninfo}'\n`);
  await own(data);
};

/**
 * Restores a copy in the place of a server's data, which must not run. `newTimeline`: as after a recovery from an archive;
 * else as files that were restored.
 */
export const restoreCopy = async (copied: string, data: string, newTimeline: boolean): Promise<void> => {
  rmSync(data, { recursive: true, force: true });
  await run('cp', ['-a', copied, data]);
  rmSync(join(data, 'standby.signal'), { force: true });
  writeFileSync(join(data, 'postgresql.auto.conf'), newTimeline ? `restore_command = 'false'\n` : '');
  if (newTimeline) writeFileSync(join(data, 'recovery.signal'), '');
  await own(data);
};

/** Files of a server that works come and go meanwhile. */
const copy = async (path: string, into: string): Promise<void> => {
  try {
    await run('cp', ['-a', path, into]);
  } catch (error) {
    const { stderr } = error as { stderr: string };
    const others = stderr.split('\n').filter((line) => line !== '' && !/No such file|vanished/.test(line));
    if (others.length > 0 || !existsSync(path)) throw error;
  }
};

const own = async (folder: string): Promise<void> => {
  chmodSync(folder, 0o700);
  const user = owner();
  if (!user) return;
  chownSync(folder, user.uid, user.gid);
  await run('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
};
