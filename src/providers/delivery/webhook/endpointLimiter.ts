/**
 * Per-origin concurrency limit, bounded queue and circuit breaker (decisions/0014): so many requests at a time, a
 * bounded number in the queue, the others deferred until their turn is near; a target whose circuit is open gets single
 * probes.
 */
import { DeliveryPostponedError, CircuitOpen } from '../../contracts/delivery.ts';
import { Retryable } from '../../../engine/contract/performer.ts';
import {
  isEndpointIdle,
  allowedInFlightForEndpoint,
  newEndpointState,
  type WebhookEndpointRuntimeState,
  type WebhookEndpointKey,
  type WaitingDelivery,
} from './endpointState.ts';

export interface WebhookEndpointCircuitLimiter {
  /**
   * Does the work when it is its turn. Throws `CircuitOpen` at once when the target is open, `DeliveryPostponedError` when too many
   * wait, and the signal's reason when that comes first. What the work throws tells how the target is: `Retryable` is a
   * failure of the target, anything else says nothing about it.
   */
  pass<Value>(target: WebhookEndpointKey, work: () => Promise<Value>, wish: Wish): Promise<Value>;
  /** It was seen to work, past the line. */
  succeeded(target: WebhookEndpointKey): void;
  /** The targets of an account that this process knows. */
  targetsOf(account: number): WebhookEndpointHealthView[];
  counts(): { waiting: number; inFlight: number; open: number };
}

export interface Wish {
  /**
   * Goes to an open target as well. When too many who do wait there already, it is not tried, and `Retryable` is
   * thrown. Default no.
   */
  insists?: boolean | undefined;
  signal: AbortSignal;
}

/** A target as operators see it. */
export interface WebhookEndpointHealthView {
  origin: string;
  state: 'closed' | 'open' | 'half';
  /** Failed attempts since the last success. */
  failures: number;
  /** How long no request goes, milliseconds; 0: one may go. */
  opensInMs: number;
  waiting: number;
  inFlight: number;
  /** Of a request, milliseconds. */
  usualMs: number;
  lastError: string;
  /** Epoch milliseconds; 0: never. */
  lastErrorAt: number;
}

export interface EndpointLimiterOptions {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds that never go back. Default: the process's own. */
  clock?: (() => number) | undefined;
}

const usualClock = (): number => performance.now();

/** On their way at a time, and waiting at a time: of one account, and of all. */
const bounds = { account: { inFlight: 64, waiting: 1_024 }, all: { inFlight: 512, waiting: 4_096 } };
const MOST_TARGETS = 2_000;

export const openEndpointLimiter = ({
  now,
  clock = usualClock,
}: EndpointLimiterOptions): WebhookEndpointCircuitLimiter => {
  const targets = new Map<string, WebhookEndpointRuntimeState>();
  const accounts = new Map<number, { inFlight: number; waiting: number }>();
  const all = { inFlight: 0, waiting: 0 };
  /** Targets with deliveries in the queue; the one that had its turn last stands at the end. */
  const line = new Set<WebhookEndpointRuntimeState>();

  const targetOf = ({ account, origin }: WebhookEndpointKey): WebhookEndpointRuntimeState => {
    const key = `${account} ${origin}`;
    const target = targets.get(key) ?? newEndpointState({ account, origin });
    targets.delete(key);
    targets.set(key, target);
    if (targets.size > MOST_TARGETS) forgetOne(targets);
    return target;
  };

  const count = (account: number, what: 'inFlight' | 'waiting', by: 1 | -1): void => {
    const own = accounts.get(account) ?? { inFlight: 0, waiting: 0 };
    own[what] += by;
    all[what] += by;
    if (own.inFlight + own.waiting === 0) accounts.delete(account);
    else accounts.set(account, own);
  };

  const hasRoom = (target: WebhookEndpointRuntimeState): boolean => {
    const own = accounts.get(target.account)?.waiting ?? 0;
    const isFree = own < bounds.account.waiting && all.waiting < bounds.all.waiting;
    return isFree && target.waiting.size < target.pace.room();
  };

  const mayBegin = (target: WebhookEndpointRuntimeState): boolean =>
    target.inFlight < allowedInFlightForEndpoint(target, clock()) &&
    (accounts.get(target.account)?.inFlight ?? 0) < bounds.account.inFlight;

  /** Begins all requests whose turn it is; targets take turns. */
  const next = (): void => {
    for (const target of line) {
      if (all.inFlight >= bounds.all.inFlight) return;
      if (!mayBegin(target)) continue;
      const [waiter] = target.waiting;
      line.delete(target);
      leave(target, waiter!);
      if (target.waiting.size > 0) line.add(target);
      target.inFlight += 1;
      count(target.account, 'inFlight', 1);
      waiter!.begin();
    }
  };

  const leave = (target: WebhookEndpointRuntimeState, waiter: WaitingDelivery): void => {
    if (!target.waiting.delete(waiter)) return;
    count(target.account, 'waiting', -1);
    if (target.waiting.size === 0) line.delete(target);
  };

  const turn = (target: WebhookEndpointRuntimeState, { signal, insists = false }: Wish): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const quit = (): void => {
        leave(target, waiter);
        reject(signal.reason as Error);
      };
      const end = (): void => signal.removeEventListener('abort', quit);
      const waiter: WaitingDelivery = {
        insists,
        begin: () => {
          end();
          resolve();
        },
        refuse: (error) => {
          end();
          reject(error);
        },
      };
      signal.addEventListener('abort', quit, { once: true });
      if (target.waiting.size === 0) target.busySince = clock();
      target.waiting.add(waiter);
      count(target.account, 'waiting', 1);
      line.add(target);
      next();
    });

  const failed = (target: WebhookEndpointRuntimeState, error: Retryable, began: number): void => {
    target.breaker.failed(clock(), began);
    Object.assign(target, { lastError: error.message, lastErrorAt: now() });
    if (target.breaker.standing(clock()) !== 'open') return;
    for (const waiter of target.waiting) {
      if (waiter.insists) continue;
      leave(target, waiter);
      waiter.refuse(circuitOpen(target, clock()));
    }
  };

  const ended = (target: WebhookEndpointRuntimeState, began: number): void => {
    target.pace.took(clock() - began);
    target.inFlight -= 1;
    count(target.account, 'inFlight', -1);
    next();
  };

  return {
    pass: async (name, work, wish) => {
      const target = targetOf(name);
      const standing = target.breaker.standing(clock());
      if (standing === 'open' && !wish.insists) throw circuitOpen(target, clock());
      if (!hasRoom(target))
        throw standing !== 'closed' && wish.insists ? crowded(target) : sentAway(target, clock());
      await turn(target, wish);
      const began = clock();
      try {
        const value = await work();
        target.breaker.succeeded();
        return value;
      } catch (error) {
        if (error instanceof Retryable && !wish.signal.aborted) failed(target, error, began);
        throw error;
      } finally {
        ended(target, began);
      }
    },
    succeeded: (name) => {
      targetOf(name).breaker.succeeded();
      next();
    },
    targetsOf: (account) =>
      [...targets.values()].filter((one) => one.account === account).map((one) => viewOf(one, clock())),
    counts: () => ({
      ...all,
      open: [...targets.values()].filter(({ breaker }) => breaker.standing(clock()) !== 'closed').length,
    }),
  };
};

const circuitOpen = ({ breaker, lastError }: WebhookEndpointRuntimeState, clock: number): CircuitOpen =>
  new CircuitOpen(
    `it failed too often and is left alone for a while; at last ${lastError}`,
    breaker.comeBackIn(clock),
  );

const crowded = ({ lastError, waiting }: WebhookEndpointRuntimeState): Retryable =>
  new Retryable(`it goes on failing, and ${waiting.size} others are about to try it; at last ${lastError}`);

const sentAway = (
  { pace, waiting, busySince }: WebhookEndpointRuntimeState,
  clock: number,
): DeliveryPostponedError => {
  const busyMs = waiting.size === 0 ? 0 : clock - busySince;
  return new DeliveryPostponedError(
    'others wait for the same receiver',
    pace.turnIn(clock, waiting.size, busyMs),
  );
};

/** The one that was used longest ago of those that rest. */
const forgetOne = (targets: Map<string, WebhookEndpointRuntimeState>): void => {
  for (const [key, target] of targets) if (isEndpointIdle(target)) return void targets.delete(key);
};

const viewOf = (target: WebhookEndpointRuntimeState, clock: number): WebhookEndpointHealthView => {
  const { origin, breaker, pace, waiting, inFlight, lastError, lastErrorAt } = target;
  const state = breaker.standing(clock);
  return {
    ...{ origin, state, failures: breaker.failures, waiting: waiting.size, inFlight, lastError, lastErrorAt },
    opensInMs: state === 'open' ? Math.ceil(breaker.until - clock) : 0,
    usualMs: Math.round(pace.usualMs),
  };
};
