/**
 * A delivery: what is on its way to a customer's own system, one item after the other, each tried by a schedule until
 * it is there (spec 4.3 `relftp`, 6; decisions/0015, 0014).
 *
 * What is delivered is data; a transport for each purpose carries it (`contracts/delivery.ts`). Most deliveries are one
 * item. One that is `open` takes more from the machine that it is about. An item that cannot be delivered is a dead
 * letter: it and all behind it stay, until an operator sends them again.
 */
import { assign, setup } from 'xstate';
import * as assigns from './delivery/contextAndAssigns.ts';
import {
  initialDeliveryContext,
  type DeliveryContext,
  type DeliveryActionArgs,
  type DeliveryMachineEvent,
} from './delivery/contextAndAssigns.ts';
import type { DeliveryInput } from './delivery/input.ts';
import { declareEffect, engineEffects, type EventTimestamp } from '../src/engine/contract/effect.ts';
import type { DeliveryEffects } from './contracts/delivery.ts';

/** A note: the fields of the context that change. */
const assignFrom = (update: (scope: DeliveryActionArgs) => Partial<DeliveryContext>) =>
  assign<DeliveryContext, DeliveryMachineEvent, undefined, DeliveryMachineEvent, never>(
    ({ context, event }) => update({ context, event }),
  );

const DAY_MS = 24 * 3_600_000;

const machineSetup = setup({
  types: {
    context: {} as DeliveryContext,
    events: {} as DeliveryMachineEvent,
    input: {} as DeliveryInput & EventTimestamp & { id: number },
  },
  actions: {
    ...engineEffects,
    deliver: declareEffect<DeliveryEffects['deliver']>(),
    noteItem: assignFrom(assigns.assignDeliveryItemEnqueued),
    noteHead: assignFrom(assigns.assignNewDeliveryHead),
    noteClosed: assignFrom(assigns.assignDeliveryClosed),
    noteAttempt: assignFrom(assigns.assignDeliveryAttemptBegun),
    noteDelivered: assignFrom(assigns.assignDeliveryItemDelivered),
    notePart: assignFrom(assigns.assignPartialDeliveryProgress),
    notePutOff: assignFrom(assigns.assignDeliveryPutOff),
    noteFailed: assignFrom(assigns.assignAttemptFailed),
    noteRetry: assignFrom(assigns.assignNextDeliveryAttemptTime),
    noteDeadLettered: assignFrom(assigns.assignDeadLettered),
    noteReplayed: assignFrom(assigns.assignDeliveryReplayed),
    noteCancelled: assignFrom(assigns.assignDeliveryCancelled),
    noteGivenUp: assignFrom(assigns.assignDeliveryGivenUp),
  },
  guards: {
    isOpen: ({ context }: DeliveryActionArgs) => context.open,
    isThisAttempt: assigns.isAboutCurrentDeliveryAttempt,
    isThisItem: assigns.isAboutCurrentDeliveryItem,
    isCancelled: ({ context }: DeliveryActionArgs) => context.cancelled,
    isCancelledMeanwhile: (scope: DeliveryActionArgs) =>
      scope.context.cancelled && assigns.isAboutCurrentDeliveryAttempt(scope),
    isAllBrought: ({ context }: DeliveryActionArgs) => context.queue.length === 0 && !context.open,
    isQueueEmpty: ({ context }: DeliveryActionArgs) => context.queue.length === 0,
    isHopeless: assigns.shouldBecomeDeadLetter,
  },
  delays: {
    nextAttempt: ({ context, event }: DeliveryActionArgs) => Math.max(0, context.nextAt - event.at),
    /** Longer than all the tries that the engine gives the effect. */
    attemptGuard: () => 2 * 3_600_000,
    deadLetterEnd: () => assigns.DEAD_LETTER_RESENDABLE_MS,
    /** Longer than any call may wait for its date: the machine that opened the delivery sends no more events. */
    idleGuard: () => 400 * DAY_MS,
  },
});

const reach = (milestone: string) => ({ type: 'reach', params: { milestone } }) as const;

const carry = {
  type: 'deliver',
  params: ({ context, event }: DeliveryActionArgs) => ({
    purpose: context.delivery.purpose,
    subject: context.queue[0]!.subject,
    attempt: context.attempts,
    ...(context.head.resume !== '' && { resume: context.head.resume }),
    ...(assigns.mayDeliverToPausedTarget({ context, event }) && { insists: true }),
  }),
} as const;

const failedNow = { guard: 'isThisAttempt', target: 'failed', actions: 'noteFailed' } as const;
const sentAgain = { target: 'attempting', actions: 'noteReplayed' } as const;
const givenUpMeanwhile = { guard: 'isCancelledMeanwhile', target: 'givenUp' } as const;

export const deliveryMachine = machineSetup.createMachine({
  id: 'delivery',
  context: ({ input }) => initialDeliveryContext(input),
  initial: 'attempting',
  states: {
    /** The transport is on its way. What it began cannot be called back, so giving up waits for its answer. */
    attempting: {
      entry: ['noteAttempt', carry],
      on: {
        partly: [
          givenUpMeanwhile,
          { guard: 'isThisAttempt', target: 'attempting', reenter: true, actions: 'notePart' },
        ],
        deferred: [givenUpMeanwhile, { guard: 'isThisAttempt', target: 'deferred', actions: 'notePutOff' }],
        notDelivered: failedNow,
        deliverFailed: failedNow,
        cancel: { actions: 'noteCancelled' },
      },
      after: { attemptGuard: { target: 'failed', actions: 'noteFailed' } },
    },
    /** What follows when an item is there? */
    carried: {
      always: [
        { guard: 'isAllBrought', target: 'delivered' },
        { guard: 'isCancelled', target: 'givenUp' },
        { guard: 'isQueueEmpty', target: 'idle' },
        { target: 'attempting' },
      ],
    },
    /** All that came is there, and more may come. */
    idle: {
      on: {
        enqueue: { target: 'attempting', actions: ['noteItem', 'noteHead'] },
        close: { target: 'delivered', actions: 'noteClosed' },
        cancel: 'givenUp',
      },
      after: { idleGuard: 'delivered' },
    },
    /** What follows from a failed attempt? */
    failed: {
      always: [
        { guard: 'isCancelled', target: 'givenUp' },
        { guard: 'isHopeless', target: 'deadLetter' },
        { target: 'retrying', actions: 'noteRetry' },
      ],
    },
    retrying: {
      on: { retryNow: 'attempting', replay: sentAgain, cancel: 'givenUp' },
      after: { nextAttempt: 'attempting' },
    },
    /** Others wait for the same target, or that is left alone for a while; it was not tried. */
    deferred: {
      on: { retryNow: 'attempting', replay: sentAgain, cancel: 'givenUp' },
      after: { nextAttempt: 'attempting' },
    },
    /** All attempts failed, or the target said no for good. An operator mends what is wrong and sends it again. */
    deadLetter: {
      entry: ['noteDeadLettered', reach('deadLetter')],
      on: {
        enqueue: { guard: 'isOpen', target: 'deadLetter', reenter: true, actions: 'noteItem' },
        retryNow: sentAgain,
        replay: sentAgain,
        cancel: 'givenUp',
      },
      after: { deadLetterEnd: 'givenUp' },
    },
    delivered: { type: 'final', entry: [reach('delivered'), reach('ended')], on: { '*': {} } },
    givenUp: { type: 'final', entry: ['noteGivenUp', reach('ended')], on: { '*': {} } },
  },
  on: {
    enqueue: { guard: 'isOpen', actions: 'noteItem' },
    close: { actions: 'noteClosed' },
    /** An attempt that was given up as unheard may have arrived after all. */
    delivered: { guard: 'isThisItem', target: '.carried', actions: 'noteDelivered' },
  },
  options: { maxIterations: 10 },
});
