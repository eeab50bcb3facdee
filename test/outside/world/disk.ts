/** A disk of the judge's own, in memory, that can be filled. */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Disk {
  folder: string;
  /** Leaves no room. */
  fill(): Promise<void>;
  free(): void;
  remove(): void;
}

const run = promisify(execFile);
const piece = Buffer.alloc(1_000_000);

/** The last bytes, that no reservation takes. */
const fillUp = (path: string): void => {
  const file = openSync(path, 'a');
  for (let part = piece; part.length > 0;) {
    try {
      writeSync(file, part);
    } catch {
      part = part.subarray(0, Math.floor(part.length / 10));
    }
  }
  closeSync(file);
};

/** Room for what a run of so many minutes writes: the databases, a copy of each, and the logs of what was sent. */
const sizeFor = (minutes: number): string => `${2_000 + 60 * minutes}m`;

/** `mounted` false: an ordinary folder, that is never filled. */
export const openDisk = (
  folder: string,
  { mounted, minutes }: { mounted: boolean; minutes: number },
): Disk => {
  mkdirSync(folder, { recursive: true });
  const options = `size=${sizeFor(minutes)},mode=0755`;
  if (mounted) execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'outside', folder]);
  chmodSync(folder, 0o755);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: async () => {
      const { bavail, bsize } = statfsSync(folder);
      await run('fallocate', ['-l', String(Math.max(1, bavail - 100) * bsize), ballast]).catch(() => {});
      fillUp(ballast);
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      if (mounted) execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};
