/** A disk of the judge's own, in memory, that can be filled. */
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface Disk {
  folder: string;
  /** Leaves no room. */
  fill(): void;
  free(): void;
  remove(): void;
}

const size = '3g';
const piece = Buffer.alloc(1_000_000);

/** `mounted` false: an ordinary folder, that is never filled. */
export const openDisk = (folder: string, mounted: boolean): Disk => {
  mkdirSync(folder, { recursive: true });
  if (mounted) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'outside', folder]);
  chmodSync(folder, 0o755);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: () => {
      const file = openSync(ballast, 'a');
      try {
        for (let part = piece; part.length > 0;) {
          try {
            writeSync(file, part);
          } catch {
            // The last bytes, too.
            part = part.subarray(0, Math.floor(part.length / 10));
          }
        }
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      if (mounted) execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};
