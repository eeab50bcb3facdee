/** What a delivery remembers, and how a fact changes it. Plain JSON, pure. */
import type { EffectFailedEvent, EventTimestamp } from '../../src/engine/contract/effect.ts';
import type {
  DeliveryEffects,
  DeliveryEvent,
  ItemToDeliver,
  DeliveryQueueEvent,
} from '../contracts/delivery.ts';
import type { DeliveryInput } from './input.ts';
import { doesItemDecideDeliveryResult, enqueueDeliveryItem } from './queue.ts';
import { MAX_WAIT_FOR_PAUSED_TARGET_MS, PAUSES_MS, deliveryRetryPauseMs } from './schedule.ts';

/** How the last failed attempt failed. */
export interface DeliveryAttemptFailure {
  /** `notNow`, `noAnswer`, or the transport's word for a no: `credentialsRefused`, `noProfile` … */
  reason: string;
  message: string;
  at: number;
  /** Another try would end the same way. */
  terminal: boolean;
  /** What the target asked for; 0: nothing. */
  afterMs: number;
}

/** The item under way, or the one that was brought last. */
export interface Head {
  /** Attempts of the items before it: what is heard of those is not about this one. */
  after: number;
  /** Its attempts, with the one under way; those that were put off do not count. */
  tries: number;
  /** Its attempts that failed since its turn came, or since an operator sent it again. */
  failures: number;
  /** Where its transport goes on; empty: at the beginning. */
  resume: string;
  /** Since when its next attempt waits for a target that is left alone; 0: it does not. */
  aloneSince: number;
}

export interface DeliveryContext {
  id: number;
  bornAt: number;
  delivery: Required<Omit<DeliveryInput, 'subject' | 'open'>>;
  /** Items in their order; the first is under way. */
  queue: ItemToDeliver[];
  /** More may come. */
  open: boolean;
  /** Items that were left out because too many waited. */
  leftOut: number;
  /** Attempts begun, of all items: the number that the transport's facts name. */
  attempts: number;
  head: Head;
  failure: DeliveryAttemptFailure | null;
  /** Why it was put off, and when; null: it was not. */
  putOff: { message: string; at: number; leftAlone: boolean } | null;
  /** When the next attempt begins, or the dead letter ends; 0: nothing is planned. */
  nextAt: number;
  /** When the last item that counts was brought; 0: not yet. */
  deliveredAt: number;
  /** Of the item that counts: 0 pending, its attempts when it was brought, minus its attempts when given up. */
  result: number;
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

export type DeliveryMachineEvent =
  | ((DeliveryEvent | DeliveryQueueEvent | OperatorEvent) & EventTimestamp)
  | EffectFailedEvent<'deliver', DeliveryEffects['deliver']>;

export interface DeliveryActionArgs {
  context: DeliveryContext;
  event: DeliveryMachineEvent;
}

type Assigner = (scope: DeliveryActionArgs) => Partial<DeliveryContext>;

/** How long a dead letter can be sent again. */
export const DEAD_LETTER_RESENDABLE_MS = 30 * 24 * 3_600_000;
/** The engine's reason for an effect that ended without an outcome: a fault of this program, not of the target. */
const OURS = 'triesUsedUp';
/** What is kept of a message. */
const MESSAGE_LENGTH = 300;

export const initialDeliveryContext = (
  input: DeliveryInput & { at: number; id: number },
): DeliveryContext => {
  const { purpose, about, aboutId = 0, target, subject, open = false } = input;
  return {
    id: input.id,
    bornAt: input.at,
    delivery: { purpose, about, aboutId, target },
    queue: [{ subject, last: !open }],
    open,
    leftOut: 0,
    attempts: 0,
    head: newHead(0),
    failure: null,
    putOff: null,
    nextAt: 0,
    deliveredAt: 0,
    result: 0,
    cancelled: false,
  };
};

const newHead = (after: number): Head => ({ after, tries: 0, failures: 0, resume: '', aloneSince: 0 });

const inHead = ({ head }: DeliveryContext, changes: Partial<Head>): { head: Head } => ({
  head: { ...head, ...changes },
});

// ------------------------------------------------------------ questions

/** The number of the attempt that a fact is about. */
const attemptOf = (event: DeliveryMachineEvent): number => {
  if (event.type === 'deliverFailed') return event.params.attempt;
  return 'attempt' in event ? event.attempt : 0;
};

/** Whether a fact is about the attempt under way; an earlier one's failure no longer matters. */
export const isAboutCurrentDeliveryAttempt = ({ context, event }: DeliveryActionArgs): boolean =>
  attemptOf(event) === context.attempts;

/** Whether a fact is about the item at the head; one that was given up as unheard may have arrived after all. */
export const isAboutCurrentDeliveryItem = ({ context, event }: DeliveryActionArgs): boolean => {
  const attempt = attemptOf(event);
  return context.queue.length > 0 && attempt > context.head.after && attempt <= context.attempts;
};

export const shouldBecomeDeadLetter = ({ context }: DeliveryActionArgs): boolean =>
  context.failure!.terminal || context.head.failures > PAUSES_MS.length;

/** Whether the attempt is made at a target that is left alone, too: it waited long for it, or an operator wants it. */
export const mayDeliverToPausedTarget = ({ context: { head }, event }: DeliveryActionArgs): boolean =>
  event.type === 'retryNow' ||
  (head.aloneSince > 0 && event.at - head.aloneSince >= MAX_WAIT_FOR_PAUSED_TARGET_MS);

// ------------------------------------------------------------ what comes in

/** One more to bring. */
export const assignDeliveryItemEnqueued: Assigner = ({ context, event }) => {
  if (event.type !== 'enqueue') return {};
  const { queue, leftOut } = enqueueDeliveryItem(context.queue, event.parcel);
  return { queue, leftOut: context.leftOut + leftOut, open: context.open && !event.parcel.last };
};

export const assignDeliveryClosed: Assigner = () => ({ open: false });

// ------------------------------------------------------------ attempts

export const assignDeliveryAttemptBegun: Assigner = ({ context }) => ({
  attempts: context.attempts + 1,
  ...inHead(context, { tries: context.head.tries + 1 }),
  putOff: null,
  nextAt: 0,
});

/** It did not count as an attempt. */
const uncounted = ({ head: { tries } }: DeliveryContext): Pick<Head, 'tries'> => ({ tries: tries - 1 });

export const assignDeliveryPutOff: Assigner = ({ context, event }) => {
  if (event.type !== 'deferred') return {};
  const { message, at, afterMs, leftAlone = false } = event;
  const aloneSince = context.head.aloneSince || (leftAlone ? at : 0);
  return {
    ...inHead(context, { ...uncounted(context), aloneSince }),
    putOff: { message: short(message), at, leftAlone },
    nextAt: at + afterMs,
  };
};

/** A target that takes one part after the other is none that fails: what is left has all its attempts. */
export const assignPartialDeliveryProgress: Assigner = ({ context, event }) => {
  if (event.type !== 'partly') return {};
  const { resume } = event;
  return { ...inHead(context, { ...uncounted(context), resume, failures: 0, aloneSince: 0 }), failure: null };
};

/** It is there; the next of the queue is the head. */
export const assignDeliveryItemDelivered: Assigner = ({ context, event }) => {
  const [brought, ...queue] = context.queue;
  const next = queue.length > 0 ? { head: newHead(context.attempts) } : {};
  const counts = doesItemDecideDeliveryResult(brought!) && {
    deliveredAt: event.at,
    result: context.head.tries,
  };
  return { queue, ...next, ...counts, failure: null, putOff: null, nextAt: 0 };
};

/** After a pause with nothing to bring: the item that came is the head. */
export const assignNewDeliveryHead: Assigner = ({ context }) => ({ head: newHead(context.attempts) });

export const assignAttemptFailed: Assigner = ({ context, event }) => {
  const resume = event.type === 'notDelivered' ? event.resume : undefined;
  return {
    ...inHead(context, {
      failures: context.head.failures + 1,
      aloneSince: 0,
      ...(resume !== undefined && { resume }),
    }),
    failure: failureOf(event),
  };
};

const failureOf = (event: DeliveryMachineEvent): DeliveryAttemptFailure => {
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

export const assignNextDeliveryAttemptTime: Assigner = ({ context, event }) => ({
  nextAt: event.at + deliveryRetryPauseMs(context.id, context.head.failures, context.failure!.afterMs),
});

// ------------------------------------------------------------ ends, and what follows them

export const assignDeadLettered: Assigner = ({ context, event }) => ({
  nextAt: event.at + DEAD_LETTER_RESENDABLE_MS,
  result: -context.head.tries,
});

export const assignDeliveryReplayed: Assigner = ({ context }) => ({
  ...inHead(context, { failures: 0, aloneSince: 0 }),
  result: 0,
});

export const assignDeliveryCancelled: Assigner = () => ({ cancelled: true });

/** What counts and was brought stays so. */
export const assignDeliveryGivenUp: Assigner = ({ context }) => ({
  nextAt: 0,
  result: context.result > 0 ? context.result : -context.head.tries,
});
