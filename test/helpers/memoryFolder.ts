/** Where files of a test's servers are written fastest. */
import { statfsSync } from 'node:fs';
import { freemem } from 'node:os';

/** A folder in memory, where a server starts and copies four times faster than on a disk; undefined without such room. */
export const roomInMemory = (bytes: number): string | undefined => {
  const folder = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, freemem()) > bytes ? folder : undefined;
  } catch {
    return undefined;
  }
};
