/** Limits of one process, in memory; bounded, the longest unused goes first. */
import { type RateLimitBucket, takeRateLimitToken } from '../../lib/tokenBucket.ts';
import {
  type RateLimitsAndLockouts,
  failedLoginThresholdsFor,
  type LockoutLevel,
} from '../contracts/rateLimitsAndLockouts.ts';
import { lruOf } from '../../lib/lru.ts';

export interface InMemoryRequestLimitsOptions {
  /** Milliseconds of any clock; a monotonic one is best. */
  now(): number;
  /** Tokens, and addresses, that are remembered. */
  most?: number;
  /** Where failures are kept for the next start. Absent: they are forgotten with the process. */
  kept?: LockoutStore;
}

export interface LockoutStore {
  restored: readonly StoredLockout[];
  /** An address was throttled or blocked, or fails on after that. Returns at once. */
  locked(failure: StoredLockout): void;
  lifted(address: string): Promise<void>;
}

export interface StoredLockout {
  address: string;
  /** How many; they count as of the last one's moment when they are restored. */
  failures: number;
  /** Epoch milliseconds. */
  failedAt: number;
  /** Epoch milliseconds; 0: it is not blocked. */
  blockedUntil: number;
}

/** From the throttle on, one failure in so many is written down. */
const KEPT_EVERY = 10;

/** Failures of one address, oldest first, and until when it is blocked. */
interface Failures {
  failures: number[];
  blockedUntil: number;
}

export const inMemoryRequestLimits = ({
  now,
  most = 100_000,
  kept,
}: InMemoryRequestLimitsOptions): RateLimitsAndLockouts => {
  const buckets = lruOf<string, RateLimitBucket>(most);
  const addresses = lruOf<string, Failures>(most);
  // The newest last: it is forgotten last.
  for (const { address, failures, failedAt, blockedUntil } of kept?.restored.toReversed() ?? [])
    addresses.set(address, {
      failures: Array.from(
        { length: Math.min(failures, failedLoginThresholdsFor(address).block.failures) },
        () => failedAt,
      ),
      blockedUntil,
    });

  /** Until when an address is throttled, or has been: so many of its failures, and then one less, are young enough. */
  const throttledUntil = (address: string, { failures }: Failures): number => {
    const { throttle } = failedLoginThresholdsFor(address);
    return (failures.at(-throttle.failures) ?? -Infinity) + throttle.withinMs;
  };

  const standing = (address: string): LockoutLevel => {
    const record = addresses.get(address);
    if (!record) return 'free';
    if (record.blockedUntil > now()) return 'blocked';
    return throttledUntil(address, record) > now() ? 'throttled' : 'free';
  };

  return {
    async take(key, rate) {
      const { bucket, ...allowance } = takeRateLimitToken(buckets.get(key), rate, now());
      buckets.set(key, bucket);
      return allowance;
    },
    async standing(address) {
      return standing(address);
    },
    async lockedMs(address) {
      const record = addresses.get(address);
      if (!record) return 0;
      return Math.max(0, record.blockedUntil - now(), throttledUntil(address, record) - now());
    },
    async failed(address) {
      const { throttle, block } = failedLoginThresholdsFor(address);
      const { failures, withinMs, forMs } = block;
      const stood = standing(address);
      const at = now();
      const before = addresses.get(address);
      const recent = [...(before?.failures ?? []).filter((moment) => moment > at - withinMs), at];
      const blockedUntil = recent.length >= failures ? at + forMs : (before?.blockedUntil ?? 0);
      addresses.set(address, { failures: recent.slice(-failures), blockedUntil });
      if (isToBeKept(recent.length, throttle.failures))
        kept?.locked({ address, failures: recent.length, failedAt: at, blockedUntil });
      const stands = standing(address);
      return stands === stood || stands === 'free' ? undefined : stands;
    },
    async reset(address) {
      addresses.delete(address);
      await kept?.lifted(address);
    },
    problem: () => undefined,
    stop() {},
  };
};

/** When it is throttled, and now and then on its way to the block. Who is blocked is not asked for a token any more. */
const isToBeKept = (failures: number, throttle: number): boolean =>
  failures >= throttle && failures % KEPT_EVERY === 0;
