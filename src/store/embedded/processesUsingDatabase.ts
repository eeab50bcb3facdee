/**
 * Which processes use one database folder, so that the last of them stops the server.
 *
 * Every process has a file in `users/` named for itself; one that is about to stop the server puts up a sign first. A
 * newcomer signs in and then looks for signs; a leaver puts up its sign, signs out and then looks for others. So either
 * the leaver sees the newcomer, or the newcomer sees the sign and waits. Files of dead processes do not count.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const sign = 'leaving-';
const pollMs = 10;

export interface EmbeddedDatabaseProcessRegistry {
  /** Signs this process in, and waits while another process is about to stop the server. */
  enter(): Promise<void>;
  /** Signs this process out; `last` runs when no other process is in, while newcomers wait. */
  leave(last: () => Promise<void>): Promise<void>;
}

/** The users of the database in `folder`, this one among them; a process may be several. */
export function openEmbeddedDatabaseClientRegistry(folder: string): EmbeddedDatabaseProcessRegistry {
  const me = `${process.pid}.${startOf(process.pid)}.${randomUUID()}`;
  const file = join(folder, me);
  const mySign = join(folder, sign + me);
  const others = (signs: boolean) =>
    readdirSync(folder).filter(
      (entry) => entry.startsWith(sign) === signs && !entry.endsWith(me) && lives(entry),
    );

  return {
    async enter() {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(file, '');
      while (others(true).length > 0) await pause(pollMs);
    },
    async leave(last) {
      writeFileSync(mySign, '');
      rmSync(file, { force: true });
      try {
        if (others(false).length === 0) await last();
      } finally {
        rmSync(mySign, { force: true });
      }
    },
  };
}

/** Whether a process that lives uses the database in `folder`. */
export function isEmbeddedDatabaseInUse(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((entry) => !entry.startsWith(sign) && lives(entry));
}

function lives(entry: string): boolean {
  const [pid = '', start = ''] = entry.replace(sign, '').split('.');
  return isProcessAlive(Number(pid)) && startOf(Number(pid)) === start;
}

/** Whether a process of this id exists, ours or not. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process started, in the kernel's ticks: ids are used again, pairs are not. Empty where /proc is missing. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
