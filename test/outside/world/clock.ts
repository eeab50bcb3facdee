/** Clocks of processes that are stepped while they run: libfaketime reads how far off one is from a file. */
import { writeFileSync } from 'node:fs';
import { faketimeLibrary } from './needs.ts';

export interface SteppedClock {
  /** For the process whose clock it is; empty without the library. */
  env: Record<string, string>;
  /** Seconds ahead of the world, or behind it. */
  set(seconds: number): void;
}

/** `file`: read by the process once a second; anybody may read it. */
export const steppedClock = (file: string): SteppedClock => {
  const set = (seconds: number): void =>
    writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 });
  set(0);
  const library = faketimeLibrary();
  return {
    env: library
      ? {
          LD_PRELOAD: library,
          FAKETIME_TIMESTAMP_FILE: file,
          FAKETIME_CACHE_DURATION: '1',
          // A monotonic clock is not stepped by anybody.
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          DONT_FAKE_MONOTONIC: '1',
        }
      : {},
    set,
  };
};
