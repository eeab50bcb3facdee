/** Lock-outs that outlive a restart: read at the start, written at the moment of the lock, in the control database. */
import type { Pool } from 'pg';
import type { Log } from '../log.ts';
import { failedLoginThresholds } from '../providers/contracts/rateLimitsAndLockouts.ts';
import type { LockoutStore } from '../providers/rateLimitsAndLockouts/memory.ts';
import {
  forgetLockout,
  type Lockout,
  mostLockouts,
  readLockouts,
  sweepLockouts,
  writeLockouts,
} from '../store/lockouts.ts';

export interface KeptLockouts {
  /** As of the start. */
  restored: readonly Lockout[];
  /** An address was throttled or blocked, or fails on. Returns at once. */
  locked(lockout: Lockout): void;
  lifted(address: string): Promise<void>;
}

const hour = 3_600_000;
/** Of one statement. */
const mostWritten = 1_000;

/** Reads what is kept. While the database is away nothing is written, and the newest of it later. */
export const openKeptLockouts = async (
  pool: Pool,
  log: Log,
  now: () => number = Date.now,
): Promise<KeptLockouts> => {
  const waiting = new Map<string, Lockout>();
  let writing = false;
  let sweptAt = 0;
  let writtenSince = 0;

  const moments = () => ({ now: now(), since: now() - failedLoginThresholds.block.withinMs });

  const sweep = async (): Promise<void> => {
    if (now() - sweptAt < hour && writtenSince < mostLockouts) return;
    await sweepLockouts(pool, moments());
    sweptAt = now();
    writtenSince = 0;
  };

  /** One statement at a time: what is locked meanwhile is written by the next. */
  const write = async (): Promise<void> => {
    if (writing) return;
    writing = true;
    try {
      while (waiting.size > 0) {
        const batch = [...waiting.values()].slice(0, mostWritten);
        await writeLockouts(pool, batch);
        for (const one of batch) if (waiting.get(one.address) === one) waiting.delete(one.address);
        writtenSince += batch.length;
        await sweep();
      }
    } catch (error) {
      log.warn({ err: error }, 'lock-outs are not kept for the next start now');
    } finally {
      writing = false;
    }
  };

  await sweepLockouts(pool, moments());
  sweptAt = now();
  const restored = await readLockouts(pool, moments());
  return {
    restored,
    locked: (lockout) => {
      waiting.delete(lockout.address);
      waiting.set(lockout.address, lockout);
      const [oldest] = waiting.keys();
      if (waiting.size > mostLockouts && oldest !== undefined) waiting.delete(oldest);
      void write();
    },
    lifted: async (address) => {
      waiting.delete(address);
      await forgetLockout(pool, address);
    },
  } satisfies LockoutStore & KeptLockouts;
};
