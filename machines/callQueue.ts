/**
 * A line: a queue's or an agent's members, and the calls that want one (spec 2.7; decisions "FI leg", "agents").
 *
 * Its machine id is the queue's or agent's own. Callers are served in the order they joined; every offer is
 * answered by taken, missed or left (`contracts/targetResolutionAndQueue.ts`). What is decided stands in `callQueue/decide.ts`; the chart
 * only says when: on every fact, and when an offer, a talk, a wait or a rest has lasted too long.
 */
import { assign, enqueueActions, setup } from 'xstate';
import { engineEffects, type EngineEffects, type EventTimestamp } from '../src/engine/contract/effect.ts';
import {
  initialQueueLineContext,
  type QueueLineContext,
  type QueueLineInput,
  type QueueLineActionArgs,
} from './callQueue/context.ts';
import { nextQueueLineCheckAt, decideQueueLineStep } from './callQueue/decide.ts';
import type { CallQueueEvent } from './contracts/targetResolutionAndQueue.ts';

type Heard = CallQueueEvent & EventTimestamp;
type Tell = { type: 'tell'; params: EngineEffects['tell'] };

/** Tells the callers, then remembers. */
const tellCallers = enqueueActions<
  QueueLineContext,
  Heard,
  undefined,
  Heard,
  never,
  Tell,
  never,
  never,
  never
>(({ context, event, enqueue }) => {
  for (const told of decideQueueLineStep({ context, event }).told)
    enqueue({ type: 'tell', params: { machine: told.call, event: { ...told.event } } });
});

const machineSetup = setup({
  types: {
    context: {} as QueueLineContext,
    events: {} as Heard,
    input: {} as QueueLineInput & EventTimestamp & { id: number },
  },
  actions: {
    ...engineEffects,
    tellCallers,
    noteServed: assign<QueueLineContext, Heard, undefined, Heard, never>(
      ({ context, event }) => decideQueueLineStep({ context, event }).next,
    ),
  },
  guards: {
    isBusy: ({ context }: QueueLineActionArgs) =>
      context.waiting.length + context.offers.length + context.talks.length > 0,
    isRemoved: ({ context }: QueueLineActionArgs) => context.removed,
  },
  delays: {
    look: ({ context, event }: QueueLineActionArgs) =>
      Math.max(0, nextQueueLineCheckAt(context, event.at) - event.at),
  },
});

const served = { target: 'serving', reenter: true, actions: ['tellCallers', 'noteServed'] } as const;

export const line = machineSetup.createMachine({
  id: 'line',
  context: ({ input }) => initialQueueLineContext(input),
  initial: 'idle',
  states: {
    /** No caller waits or talks. */
    idle: {},
    /** Did that leave something to watch? */
    serving: {
      always: [
        { guard: 'isBusy', target: 'busy' },
        { guard: 'isRemoved', target: 'closed' },
        { target: 'idle' },
      ],
    },
    busy: { after: { look: served } },
    /** Deleted and empty. A line that is merely inactive goes on, to be switched on again. */
    closed: { type: 'final', on: { '*': {} } },
  },
  on: {
    callerJoined: { ...served, target: '.serving' },
    callerLeft: { ...served, target: '.serving' },
    memberTaken: { ...served, target: '.serving' },
    memberMissed: { ...served, target: '.serving' },
    memberFreed: { ...served, target: '.serving' },
    lineChanged: { ...served, target: '.serving' },
    lineRemoved: { ...served, target: '.serving' },
  },
  options: { maxIterations: 10 },
});
