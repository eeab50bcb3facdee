/** Clocks of processes that are stepped or stand still while they run: libraries read from files how far off they are. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  if (library) removeLeftovers();
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

/** What the library keeps in shared memory, by process. */
const kept = /^(?:sem\.)?faketime_(?:sem|shm)_(\d+)$/;

/** A process that was killed leaves its own behind, and another user's process that gets its number cannot begin. */
const removeLeftovers = (): void => {
  for (const name of readdirSync('/dev/shm')) {
    const process = kept.exec(name)?.[1];
    if (process && !existsSync(`/proc/${process}`)) rmSync(`/dev/shm/${name}`, { force: true });
  }
};

export interface StandingClock {
  env: Record<string, string>;
  /** Its monotonic clocks have stood still for so long while its process was stopped. */
  stood(ms: number): void;
}

const source = join(import.meta.dirname, 'standstill.c');

/** Makes the library in `folder`; its path. Takes a C compiler. */
export const makeStandstill = (folder: string): string => {
  const library = join(folder, 'standstill.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source], { stdio: 'pipe' });
  return library;
};

/** `file`: read by the process at each look at its clock. */
export const standingClock = (library: string, file: string): StandingClock => {
  const lag = Buffer.alloc(8);
  let stoodMs = 0;
  const write = (flag: string): void => {
    lag.writeBigInt64LE(BigInt(Math.round(stoodMs)) * 1_000_000n);
    writeFileSync(file, lag, { flag });
  };
  write('w');
  chmodSync(file, 0o644);
  return {
    env: { LD_PRELOAD: library, STANDSTILL_FILE: file },
    stood: (ms) => {
      stoodMs += ms;
      // In place: the process has it mapped.
      write('r+');
    },
  };
};

/** Environments as one: each has a library of its own to be loaded first. */
export const together = (...envs: readonly Record<string, string>[]): Record<string, string> => {
  const libraries = envs.flatMap((env) => env['LD_PRELOAD'] ?? []);
  return Object.assign(
    {},
    ...envs,
    libraries.length > 0 ? { LD_PRELOAD: libraries.join(':') } : {},
  ) as Record<string, string>;
};
