/** What a running server says of itself in `postmaster.pid`, and how it is asked to stop. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isProcessAlive } from './processesUsingDatabase.ts';

const pollMs = 10;
const stopSeconds = 60;

export interface PostmasterStatus {
  pid: number;
  port: number;
  status: 'starting' | 'ready' | 'stopping';
}

/** The server that runs on the folder `data`, or undefined: none, or one that died without tidying up. */
export function readPostmasterStatus(data: string): PostmasterStatus | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!pid || !isProcessAlive(pid) || !runsOn(pid, data)) return undefined;
  const status = (lines[7] ?? '').trim();
  return {
    pid,
    port: Number(lines[3]),
    status: status === 'ready' || status === 'stopping' ? status : 'starting',
  };
}

/** A process id is used again after a reboot; the command line tells (where there is a /proc). */
function runsOn(pid: number, data: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data);
  } catch {
    return process.platform !== 'linux';
  }
}

/** Fast shutdown: sessions end, what is committed is written, the next start needs no recovery. */
export async function stopPostgresServer(data: string): Promise<void> {
  const running = readPostmasterStatus(data);
  if (!running) return;
  process.kill(running.pid, 'SIGINT');
  const deadline = performance.now() + stopSeconds * 1000;
  while (readPostmasterStatus(data)?.pid === running.pid) {
    if (performance.now() > deadline) {
      throw new Error(`the database (process ${running.pid}) did not stop within ${stopSeconds} s`);
    }
    await pause(pollMs);
  }
}
