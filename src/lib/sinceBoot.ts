/** The clock since boot, which goes on while the machine is suspended. Node offers none; Linux has it in a file. */
import { readFileSync } from 'node:fs';

/** Milliseconds since the machine was started; undefined where that is not told. */
export const sinceBoot = (file = '/proc/uptime'): (() => number | undefined) => {
  let isTold = true;
  return () => {
    if (!isTold) return undefined;
    const seconds = read(file);
    isTold = !Number.isNaN(seconds);
    return isTold ? seconds * 1_000 : undefined;
  };
};

const read = (file: string): number => {
  try {
    return Number.parseFloat(readFileSync(file, 'latin1'));
  } catch {
    return Number.NaN;
  }
};
