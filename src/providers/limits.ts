/**
 * What all doors count together: requests of a token, and failed authentications of an address (decisions "rate
 * limits", "authentication codes"). `limits/redis.ts` shares the counts between nodes, `limits/memory.ts` serves one.
 */
import type { Rate } from '../rules/tokenBucket.ts';

/** What a request may know of its token's allowance. */
export interface Allowance {
  allowed: boolean;
  remaining: number;
  /** Milliseconds; 0 when the request is allowed. */
  retryAfterMs: number;
  /** Until the whole burst is there again, milliseconds. */
  resetMs: number;
}

/** `throttled`: too many failures lately. `blocked`: far too many; lifts after a day. */
export type Standing = 'free' | 'throttled' | 'blocked';

export interface Limits {
  /** Takes one request out of a bucket. */
  take(key: string, rate: Rate): Promise<Allowance>;
  /** Where an address stands. */
  standing(address: string): Promise<Standing>;
  /** Counts a failed authentication. */
  failed(address: string): Promise<void>;
  /** Lets an address in again. */
  pardon(address: string): Promise<void>;
  /** Why the counts are not shared between nodes now, a sentence; undefined: they are as they should be. */
  problem(): string | undefined;
  stop(): void;
}

/** 20 failures in ten minutes throttle an address, 100 in an hour block it for a day. */
export const failureRules = {
  throttle: { failures: 20, withinMs: 10 * 60_000 },
  block: { failures: 100, withinMs: 60 * 60_000, forMs: 24 * 3_600_000 },
} as const;
