/** One receiver of one account: what is on its way to it, what waits, and whether it is worth a connection. */
import { type Breaker, newBreaker } from './breaker.ts';
import { AT_A_TIME, newLatencyEstimator, type LatencyEstimator } from './latencyEstimator.ts';

export interface TargetName {
  account: number;
  /** Scheme, host and port. */
  origin: string;
}

export interface Waiter {
  /** It goes to an open target as well. */
  insists: boolean;
  begin(): void;
  refuse(error: Error): void;
}

export interface EndpointState extends TargetName {
  breaker: Breaker;
  pace: LatencyEstimator;
  inFlight: number;
  waiting: Set<Waiter>;
  /** Since when deliveries wait for it. */
  busySince: number;
  /** The last failure, for people; empty: none. Epoch milliseconds. */
  lastError: string;
  lastErrorAt: number;
}

export const newEndpointState = ({ account, origin }: TargetName): EndpointState => ({
  ...{ account, origin, breaker: newBreaker(), pace: newLatencyEstimator(), inFlight: 0, waiting: new Set() },
  ...{ busySince: 0, lastError: '', lastErrorAt: 0 },
});

/** How many requests may be on their way to it. In front of an open one wait only those who insist. */
export const limitOf = ({ breaker }: EndpointState, now: number): number =>
  breaker.standing(now) === 'half' ? 1 : AT_A_TIME;

export const isIdle = ({ inFlight, waiting }: EndpointState): boolean => inFlight === 0 && waiting.size === 0;
