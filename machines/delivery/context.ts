/** What a delivery remembers, and how a fact changes it. Plain JSON, pure. */
import type { EffectFailure, Stamp } from '../effect.ts';
import type { DeliveryEffects, DeliveryEvent } from '../vocabulary/delivery.ts';
import type { DeliveryInput } from './input.ts';
import { PAUSES_MS, pauseMs } from './schedule.ts';

/** How the last failed attempt failed. */
export interface Failure {
  /** `notNow`, `noAnswer`, or the courier's word for a no: `credentialsRefused`, `noProfile` … */
  reason: string;
  message: string;
  at: number;
  /** Another try would end the same way. */
  terminal: boolean;
  /** What the target asked for; 0: nothing. */
  afterMs: number;
}

export interface DeliveryContext {
  id: number;
  bornAt: number;
  delivery: DeliveryInput;
  /** Attempts begun. */
  attempts: number;
  /** Attempts that failed since the birth, or since an operator sent it again. */
  failures: number;
  failure: Failure | null;
  /** When the next attempt begins, or the dead letter ends; 0: nothing is planned. */
  nextAt: number;
  /** 0: not yet. */
  deliveredAt: number;
  /** An operator gave it up while an attempt was under way. */
  cancelled: boolean;
}

export type OperatorEvent =
  /** Do not wait for the next attempt. */
  | { type: 'retryNow' }
  /** Send a dead letter again, with all its attempts. */
  | { type: 'replay' }
  /** Give it up. */
  | { type: 'cancel' };

export type Heard =
  | ((DeliveryEvent | OperatorEvent) & Stamp)
  | EffectFailure<'deliver', DeliveryEffects['deliver']>;

export interface DeliveryScope {
  context: DeliveryContext;
  event: Heard;
}

/** How long a dead letter can be sent again. */
export const DEAD_LETTER_MS = 30 * 24 * 3_600_000;
/** The engine's word for an effect that nobody ended properly: the house's fault, not the target's. */
const OURS = 'triesUsedUp';
/** What is kept of a message. */
const MESSAGE_LENGTH = 300;

export const newDelivery = (input: DeliveryInput & { at: number; id: number }): DeliveryContext => ({
  id: input.id,
  bornAt: input.at,
  delivery: { purpose: input.purpose, subject: input.subject, about: input.about, target: input.target },
  attempts: 0,
  failures: 0,
  failure: null,
  nextAt: 0,
  deliveredAt: 0,
  cancelled: false,
});

/** Whether a fact is about the attempt under way; an earlier one's failure no longer matters. */
export const isThisAttempt = ({ context, event }: DeliveryScope): boolean => {
  if (event.type === 'deliverFailed') return event.params.attempt === context.attempts;
  return event.type === 'notDelivered' && event.attempt === context.attempts;
};

export const isHopeless = ({ context }: DeliveryScope): boolean =>
  context.failure!.terminal || context.failures > PAUSES_MS.length;

export const attemptBegun = ({ context }: DeliveryScope): Partial<DeliveryContext> => ({
  attempts: context.attempts + 1,
  nextAt: 0,
});

export const delivered = ({ event }: DeliveryScope): Partial<DeliveryContext> => ({
  deliveredAt: event.at,
  nextAt: 0,
});

export const failed = (scope: DeliveryScope): Partial<DeliveryContext> => ({
  failures: scope.context.failures + 1,
  failure: failureOf(scope.event),
});

const failureOf = (event: Heard): Failure => {
  const none = { at: event.at, terminal: false, afterMs: 0 };
  if (event.type === 'notDelivered')
    return { ...none, reason: 'notNow', message: short(event.message), afterMs: event.afterMs ?? 0 };
  if (event.type === 'deliverFailed') {
    const { reason, message } = event;
    return { ...none, reason, message: short(message), terminal: reason !== OURS };
  }
  return { ...none, reason: 'noAnswer', message: 'nothing was heard of the attempt' };
};

const short = (message: string): string => message.slice(0, MESSAGE_LENGTH);

export const retryPlanned = ({ context, event }: DeliveryScope): Partial<DeliveryContext> => ({
  nextAt: event.at + pauseMs(context.id, context.failures, context.failure!.afterMs),
});

export const buried = ({ event }: DeliveryScope): Partial<DeliveryContext> => ({
  nextAt: event.at + DEAD_LETTER_MS,
});

export const replayed = (): Partial<DeliveryContext> => ({ failures: 0 });

export const cancelled = (): Partial<DeliveryContext> => ({ cancelled: true });

export const ended = (): Partial<DeliveryContext> => ({ nextAt: 0 });
