/**
 * What all doors count together: requests of a token, and failed authentications of an address (decisions "rate
 * limits", "authentication codes"). `rateLimitsAndLockouts/redis.ts` shares the counts between nodes, `rateLimitsAndLockouts/memory.ts` serves one.
 */
import { LOOPBACK_CLIENT_NAME } from '../../lib/ipAddressRanges.ts';
import type { Rate } from '../../lib/tokenBucket.ts';

/** What a request may know of its token's allowance. */
export interface RateLimitStatus {
  allowed: boolean;
  remaining: number;
  /** Milliseconds; 0 when the request is allowed. */
  retryAfterMs: number;
  /** Until the whole burst is there again, milliseconds. */
  resetMs: number;
}

/** `throttled`: too many failures lately. `blocked`: far too many; lifts after a day. */
export type LockoutLevel = 'free' | 'throttled' | 'blocked';

export type LockoutSeverity = Exclude<LockoutLevel, 'free'>;

export interface RateLimitsAndLockouts {
  /** Takes one request out of a bucket. */
  take(key: string, rate: Rate): Promise<RateLimitStatus>;
  /** Where an address stands. */
  standing(address: string): Promise<LockoutLevel>;
  /** Until an address is let in again, milliseconds; 0: it is free. */
  lockedMs(address: string): Promise<number>;
  /** Counts a failed authentication. Answers how it locked the address out; undefined: it stands as it stood. */
  failed(address: string): Promise<LockoutSeverity | undefined>;
  /** Lets an address in again. */
  reset(address: string): Promise<void>;
  /** Why the counts are not shared between nodes now, a sentence; undefined: they are as they should be. */
  problem(): string | undefined;
  stop(): void;
}

/** What the doors share: `RateLimitsAndLockouts`, and turns for tokens that may be guesses. */
export interface RequestLimitsOfAllEndpoints extends RateLimitsAndLockouts {
  /**
   * Does work when all that was begun before for the same address has ended: a guess is counted before the next is looked
   * at. Without that as many pass as come at once.
   */
  oneByOne<Result>(address: string, work: () => Promise<Result>): Promise<Result>;
  /** Addresses that this process has locked out since its start, and that are not free yet; the newest first. */
  lockOuts(): Promise<LockedOutAddress[]>;
  /** Failures that this process has counted: how an address stood before another one may be old. */
  readonly failures: number;
  /** Whether work of `oneByOne` goes on for an address. */
  isBusy(address: string): boolean;
}

export interface LockedOutAddress {
  /** An address, or the network that counts as one. */
  address: string;
  standing: LockoutSeverity;
  /** Until it is let in again, milliseconds. */
  lockedMs: number;
}

/** 20 failures in ten minutes throttle an address, 100 in an hour block it for a day. */
export const failedLoginThresholds = {
  throttle: { failures: 20, withinMs: 10 * 60_000 },
  block: { failures: 100, withinMs: 60 * 60_000, forMs: 24 * 3_600_000 },
} as const;

export interface FailedLoginThresholds {
  throttle: { failures: number; withinMs: number };
  block: { failures: number; withinMs: number; forMs: number };
}

/** Ten times as many: who tries the service out makes mistakes, and locks out all programs of the machine. */
const loopbackRules: FailedLoginThresholds = {
  throttle: { ...failedLoginThresholds.throttle, failures: 200 },
  block: { ...failedLoginThresholds.block, failures: 1_000 },
};

/** How many failures of an address count. */
export const failedLoginThresholdsFor = (address: string): FailedLoginThresholds =>
  address === LOOPBACK_CLIENT_NAME ? loopbackRules : failedLoginThresholds;
