/** One receiver of one account: what is on its way to it, what waits, and whether it is worth a connection. */
import { type Breaker, newBreaker } from './breaker.ts';
import { AT_A_TIME, newPace, type Pace } from './pace.ts';

export interface TargetName {
  account: number;
  /** Scheme, host and port. */
  origin: string;
}

export interface Waiter {
  begin(): void;
  refuse(error: Error): void;
}

export interface Target extends TargetName {
  breaker: Breaker;
  pace: Pace;
  inFlight: number;
  waiting: Set<Waiter>;
  /** Since when somebody waits. */
  busySince: number;
  /** The last failure, for people; empty: none. Epoch milliseconds. */
  lastError: string;
  lastErrorAt: number;
}

export const newTarget = ({ account, origin }: TargetName): Target => ({
  ...{ account, origin, breaker: newBreaker(), pace: newPace(), inFlight: 0, waiting: new Set() },
  ...{ busySince: 0, lastError: '', lastErrorAt: 0 },
});

/** How many requests may be on their way to it. */
export const limitOf = ({ breaker }: Target, now: number): number => {
  const standing = breaker.standing(now);
  if (standing === 'closed') return AT_A_TIME;
  return standing === 'half' ? 1 : 0;
};

export const isIdle = ({ inFlight, waiting }: Target): boolean => inFlight === 0 && waiting.size === 0;
