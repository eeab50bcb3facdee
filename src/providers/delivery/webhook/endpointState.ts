/** One receiver of one account: what is on its way to it, what waits, and whether it is worth a connection. */
import { type CircuitBreaker, newCircuitBreaker } from './breaker.ts';
import {
  CONCURRENT_WEBHOOKS_PER_TARGET,
  newWebhookWaitEstimator,
  type WebhookWaitEstimator,
} from './queueWaitEstimator.ts';

export interface WebhookEndpointKey {
  account: number;
  /** Scheme, host and port. */
  origin: string;
}

export interface WaitingDelivery {
  /** It goes to an open target as well. */
  insists: boolean;
  begin(): void;
  refuse(error: Error): void;
}

export interface WebhookEndpointRuntimeState extends WebhookEndpointKey {
  breaker: CircuitBreaker;
  pace: WebhookWaitEstimator;
  inFlight: number;
  waiting: Set<WaitingDelivery>;
  /** Since when deliveries wait for it. */
  busySince: number;
  /** The last failure, for people; empty: none. Epoch milliseconds. */
  lastError: string;
  lastErrorAt: number;
}

export const newEndpointState = ({ account, origin }: WebhookEndpointKey): WebhookEndpointRuntimeState => ({
  ...{
    account,
    origin,
    breaker: newCircuitBreaker(),
    pace: newWebhookWaitEstimator(),
    inFlight: 0,
    waiting: new Set(),
  },
  ...{ busySince: 0, lastError: '', lastErrorAt: 0 },
});

/** How many requests may be on their way to it. In front of an open one wait only those who insist. */
export const allowedInFlightForEndpoint = ({ breaker }: WebhookEndpointRuntimeState, now: number): number =>
  breaker.standing(now) === 'half' ? 1 : CONCURRENT_WEBHOOKS_PER_TARGET;

export const isEndpointIdle = ({ inFlight, waiting }: WebhookEndpointRuntimeState): boolean =>
  inFlight === 0 && waiting.size === 0;
