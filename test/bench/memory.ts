/** The most memory that processes ever had, as Linux counts it. */
import { readFileSync } from 'node:fs';

/** Of one that lives; NaN when Linux does not say. */
export const peakMegabytes = (pid: number): number => {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? Number.NaN) / 1024;
};

const LOOK_EVERY_MS = 50;

/**
 * Looks now and then at the children of a process whose command line has this word in it (default: at all); what the
 * largest of them ever had is answered at the end.
 */
export const watchChildren = (parent: number, word = ''): { stop(): number } => {
  let largest = 0;
  const look = setInterval(() => {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(/\s+/);
    for (const child of children) largest = Math.max(largest, peakOrNone(Number(child), word));
  }, LOOK_EVERY_MS);
  return {
    stop: () => {
      clearInterval(look);
      return largest;
    },
  };
};

/** It may have ended meanwhile. */
const peakOrNone = (pid: number, word: string): number => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word) ? peakMegabytes(pid) || 0 : 0;
  } catch {
    return 0;
  }
};
