/**
 * A delivery: something on its way to a customer's own system, tried by a schedule until it is there
 * (spec 4.3 `relftp`; decisions/0038).
 *
 * What is delivered is data; a courier for each purpose carries it (`vocabulary/delivery.ts`). What cannot be
 * delivered becomes a dead letter, from which an operator sends it again.
 */
import { assign, setup } from 'xstate';
import * as notes from './delivery/context.ts';
import { newDelivery, type DeliveryContext, type DeliveryScope, type Heard } from './delivery/context.ts';
import type { DeliveryInput } from './delivery/input.ts';
import { effect, engineEffects, type Stamp } from './effect.ts';
import type { DeliveryEffects } from './vocabulary/delivery.ts';

/** A note: the fields of the context that change. */
const note = (update: (scope: DeliveryScope) => Partial<DeliveryContext>) =>
  assign<DeliveryContext, Heard, undefined, Heard, never>(({ context, event }) => update({ context, event }));

const words = setup({
  types: {
    context: {} as DeliveryContext,
    events: {} as Heard,
    input: {} as DeliveryInput & Stamp & { id: number },
  },
  actions: {
    ...engineEffects,
    deliver: effect<DeliveryEffects['deliver']>(),
    noteAttempt: note(notes.attemptBegun),
    noteDelivered: note(notes.delivered),
    noteFailed: note(notes.failed),
    noteRetry: note(notes.retryPlanned),
    noteBuried: note(notes.buried),
    noteReplayed: note(notes.replayed),
    noteCancelled: note(notes.cancelled),
    noteEnded: note(notes.ended),
  },
  guards: {
    isThisAttempt: ({ context, event }: DeliveryScope) => notes.isThisAttempt({ context, event }),
    isCancelled: ({ context }: DeliveryScope) => context.cancelled,
    isHopeless: ({ context, event }: DeliveryScope) => notes.isHopeless({ context, event }),
  },
  delays: {
    nextAttempt: ({ context, event }: DeliveryScope) => Math.max(0, context.nextAt - event.at),
    /** Longer than all the tries that the engine gives the effect. */
    attemptGuard: () => 2 * 3_600_000,
    deadLetterEnd: () => notes.DEAD_LETTER_MS,
  },
});

const reach = (milestone: string) => ({ type: 'reach', params: { milestone } }) as const;

const carry = {
  type: 'deliver',
  params: ({ context }: DeliveryScope) => ({
    purpose: context.delivery.purpose,
    subject: context.delivery.subject,
    attempt: context.attempts,
  }),
} as const;

const failedNow = { guard: 'isThisAttempt', target: 'failed', actions: 'noteFailed' } as const;
const sentAgain = { target: 'attempting', actions: 'noteReplayed' } as const;

export const delivery = words.createMachine({
  id: 'delivery',
  context: ({ input }) => newDelivery(input),
  initial: 'attempting',
  states: {
    /** The courier is on its way. What it began cannot be called back, so giving up waits for its answer. */
    attempting: {
      entry: ['noteAttempt', carry],
      on: {
        notDelivered: failedNow,
        deliverFailed: failedNow,
        cancel: { actions: 'noteCancelled' },
      },
      after: { attemptGuard: { target: 'failed', actions: 'noteFailed' } },
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
    /** All attempts failed, or the target said no for good. An operator mends what is wrong and sends it again. */
    deadLetter: {
      entry: ['noteBuried', reach('deadLetter')],
      on: { retryNow: sentAgain, replay: sentAgain, cancel: 'givenUp' },
      after: { deadLetterEnd: 'givenUp' },
    },
    delivered: { type: 'final', entry: [reach('delivered'), reach('ended')], on: { '*': {} } },
    givenUp: { type: 'final', entry: ['noteEnded', reach('ended')], on: { '*': {} } },
  },
  on: {
    /** An attempt that was given up as unheard may have arrived after all. */
    delivered: { target: '.delivered', actions: 'noteDelivered' },
  },
  options: { maxIterations: 10 },
});
