/** What all doors count together: in Redis where there is one, else in this process. */
import type { Pool } from 'pg';
import { BodyMemoryBudget } from '../access/bodyMemoryBudget.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { type DoorLimits, type Limits, type LockedOut, type LockOut, rulesFor } from '../providers/limits.ts';
import { memoryLimits } from '../providers/limits/memory.ts';
import { addressGroup } from '../rules/addresses.ts';
import { redisLimits } from '../providers/limits/redis.ts';
import { guardRedis } from '../providers/redis/guarded.ts';
import { openKeptLockouts } from './keptLockouts.ts';

/**
 * Addresses are counted by whom they belong to: an IPv6 network of a customer is one. `pool`: the control database, which
 * keeps the lock-outs that this process counts itself.
 */
export const openLimits = async (redisUrl: string | undefined, pool: Pool, log: Log): Promise<DoorLimits> => {
  const limits = await open(redisUrl, pool, log);
  const lockOuts = new LockOuts(limits);
  let failures = 0;
  return {
    ...turns(),
    take: (key, rate) => limits.take(key, rate),
    standing: (address) => limits.standing(addressGroup(address)),
    lockedMs: (address) => limits.lockedMs(addressGroup(address)),
    failed: async (address) => {
      const group = addressGroup(address);
      const lockOut = await limits.failed(group);
      failures += 1;
      if (lockOut) {
        lockOuts.add(group);
        tellLockOut(log, group, lockOut);
      }
      return lockOut;
    },
    pardon: (address) => limits.pardon(addressGroup(address)),
    lockOuts: () => lockOuts.list(),
    get failures() {
      return failures;
    },
    problem: () => limits.problem(),
    stop: () => limits.stop(),
  };
};

/** Of which an operator hears. */
const mostLockOuts = 100;

/** The last addresses that were locked out here. */
class LockOuts {
  readonly #limits: Limits;
  readonly #addresses = new Set<string>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  add(address: string): void {
    this.#addresses.delete(address);
    this.#addresses.add(address);
    const [oldest] = this.#addresses;
    if (this.#addresses.size > mostLockOuts && oldest !== undefined) this.#addresses.delete(oldest);
  }

  async list(): Promise<LockedOut[]> {
    const found: LockedOut[] = [];
    for (const address of [...this.#addresses].toReversed()) {
      const standing = await this.#limits.standing(address);
      if (standing === 'free') this.#addresses.delete(address);
      else found.push({ address, standing, lockedMs: await this.#limits.lockedMs(address) });
    }
    return found;
  }
}

/** Once a lock-out. */
const tellLockOut = (log: Log, address: string, lockOut: LockOut): void => {
  const rules = rulesFor(address);
  const { failures, withinMs } = rules[lockOut === 'blocked' ? 'block' : 'throttle'];
  const forMs = lockOut === 'blocked' ? rules.block.forMs : withinMs;
  log.warn(
    { address, lockOut, failures, seconds: forMs / 1000 },
    `an address is kept out: ${failures} wrong tokens in ${withinMs / 60_000} minutes (npx ramal unlock lets it in)`,
  );
};

/** Work of one address after the other. What fails fails for those that wait behind it: their turn would fail as well. */
const turns = (): Pick<DoorLimits, 'oneByOne' | 'isBusy'> => {
  const last = new Map<string, Promise<unknown>>();
  return {
    oneByOne: (address, work) => {
      const group = addressGroup(address);
      const turn = (last.get(group) ?? Promise.resolve()).then(work);
      const ended = () => {
        if (last.get(group) === turn) last.delete(group);
      };
      last.set(group, turn);
      turn.then(ended, ended);
      return turn;
    },
    isBusy: (address) => last.has(addressGroup(address)),
  };
};

/** Connects in the background and goes on trying. The client is loaded where there is a Redis only. */
const open = async (redisUrl: string | undefined, pool: Pool, log: Log): Promise<Limits> => {
  // The host's time as it was at the start, which nobody sets from then on: lock-outs are kept beyond the process, in
  // whole milliseconds.
  const now = (): number => Math.round(performance.timeOrigin + performance.now());
  const alone = memoryLimits({ now, kept: await openKeptLockouts(pool, log) });
  if (redisUrl === undefined) return alone;
  const { Redis } = await import('ioredis');
  // A question that Redis does not answer soon is answered here.
  const redis = new Redis(redisUrl, { commandTimeout: 250, maxRetriesPerRequest: 0 });
  const guarded = guardRedis({
    redis,
    without: 'each node counts requests and failed logins by itself',
    log,
    now,
  });
  return redisLimits({ redis, guarded, alone });
};

const mebibyte = 1024 * 1024;

/**
 * For bodies that are held in memory: 128 MB for large ones of strangers, as much for known callers, 32 MB for small
 * ones; more where one body may be larger. One address, or account, has a part of each.
 */
export const openBodyRoom = ({ limits: { maxBodyBytes } }: Config): BodyMemoryBudget => {
  const ofStranger = Math.max(32 * mebibyte, maxBodyBytes);
  const ofAccount = Math.max(64 * mebibyte, maxBodyBytes);
  return new BodyMemoryBudget({
    small: { most: 32 * mebibyte, mostOfOne: 4 * mebibyte },
    large: { most: 4 * ofStranger, mostOfOne: ofStranger },
    known: { most: 2 * ofAccount, mostOfOne: ofAccount },
  });
};
