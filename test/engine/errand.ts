/** A small chart for the engine's own tests: fetch something, wait for word, maybe tell a friend. */
import { assign, enqueueActions, setup } from 'xstate';
import {
  declareEffect,
  engineEffects,
  type MachineEvent,
  type EventTimestamp,
} from '../../src/engine/contract/effect.ts';
import type { Kind } from '../../src/engine/contract/kind.ts';

interface Context {
  words: string[];
  at: number[];
  friend: number;
  /** What `fetch` is asked to do. */
  how: string;
}

type Event = (
  | { type: 'word'; text: string; source?: string; seq?: number }
  | { type: 'fetched'; text: string }
  | { type: 'fetchFailed'; reason: string }
  | { type: 'tell'; text: string }
  | { type: 'boom' }
  /** `kind`: of the last, or of all. */
  | { type: 'recruit'; ids: number[]; friend: number; kind?: string; all?: boolean }
  | { type: 'spin' }
  | { type: 'wait' }
  | { type: 'claimKey'; key: string }
  | { type: 'claimThere'; key: string }
  | { type: 'give'; to: number; amount: number }
  | { type: 'pass'; event: MachineEvent }
  | { type: 'claimRefused'; key: string; owner: string }
  | { type: 'ask'; name: 'once' | 'fetch' }
  | { type: 'finish' }
  | { type: 'outcomeUnknown'; effect: string }
  | { type: 'takenOver' }
) &
  EventTimestamp;

const note = (text: (event: never) => string) =>
  assign<Context, Event, undefined, Event, never>({
    words: ({ context, event }) => [...context.words, text(event as never)],
    at: ({ context, event }) => [...context.at, event.at],
  });

const machine = setup({
  types: {
    context: {} as Context,
    input: {} as { how?: string; friend?: number; fetch?: boolean } & EventTimestamp,
    events: {} as Event,
  },
  actions: {
    ...engineEffects,
    fetch: declareEffect<{ how: string }>(),
    once: declareEffect<{ how: string }>(),
    adopt: declareEffect<object>(),
  },
  delays: { deadline: 300, no: 0 },
}).createMachine({
  id: 'errand',
  context: ({ input }) => ({ words: [], at: [], friend: input.friend ?? 0, how: input.how ?? 'ok' }),
  initial: 'open',
  on: {
    word: { actions: note((event: { text: string }) => event.text) },
    fetched: { actions: note((event: { text: string }) => `fetched ${event.text}`) },
    fetchFailed: { actions: note((event: { reason: string }) => `failed ${event.reason}`) },
    outcomeUnknown: { actions: note((event: { effect: string }) => `unknown ${event.effect}`) },
    claimRefused: { actions: note((event: { key: string; owner: string }) => `refused ${event.key}`) },
    claimKey: {
      actions: [
        { type: 'claim', params: ({ event }) => ({ key: event.key, untilMs: event.at + 60_000 }) },
        note((event: { key: string }) => `claimed ${event.key}`),
      ],
    },
    /** Tells its friend to claim. */
    claimThere: {
      actions: {
        type: 'tell',
        params: ({ context, event }) => ({
          machine: context.friend,
          event: { type: 'claimKey', key: event.key },
        }),
      },
    },
    /** Gives to a balance. */
    give: {
      actions: [
        {
          type: 'book',
          params: ({ event: { to, amount } }) => ({
            account: to,
            balance: 'balance',
            amount,
            entry: 'refund',
          }),
        },
        note((event: { amount: number }) => `gave ${event.amount}`),
      ],
    },
    /** Tells its friend anything. */
    pass: {
      actions: {
        type: 'tell',
        params: ({ context, event }) => ({ machine: context.friend, event: event.event }),
      },
    },
    boom: {
      actions: assign(() => {
        throw new Error('the chart broke');
      }),
    },
    tell: {
      actions: {
        type: 'tell',
        params: ({ context, event }) => ({
          machine: context.friend,
          event: { type: 'word', text: event.text },
        }),
      },
    },
    recruit: {
      actions: enqueueActions(({ enqueue, event: { ids, friend, kind = 'errand', all = false } }) => {
        const start = (of: string, id: number): void =>
          enqueue({ type: 'startMachine', params: { kind: of, id, input: { friend } } });
        for (const id of ids.slice(0, -1)) start(all ? kind : 'errand', id);
        start(kind, ids.at(-1)!);
      }),
    },
    ask: [
      {
        guard: ({ event }) => event.name === 'once',
        actions: { type: 'once', params: ({ context }) => ({ how: context.how }) },
      },
      { actions: { type: 'fetch', params: ({ context }) => ({ how: context.how }) } },
    ],
    finish: '.done',
  },
  states: {
    open: { on: { wait: 'waiting', spin: 'spinning' } },
    waiting: {
      tags: ['adoptable'],
      after: { deadline: { target: 'open', actions: note(() => 'deadline ended') } },
      on: { takenOver: { actions: [{ type: 'adopt', params: {} }, note(() => 'taken up')] } },
    },
    spinning: { after: { no: { target: 'spinning', reenter: true } } },
    done: { type: 'final', entry: { type: 'reach', params: { milestone: 'done' } } },
  },
});

export const errand: Kind = {
  name: 'errand',
  versions: { 1: machine },
  current: 1,
  effects: {
    fetch: { delivery: 'atLeastOnce', timeoutMs: 400, attempts: 3 },
    once: { delivery: 'atMostOnce', timeoutMs: 400 },
    adopt: { delivery: 'atLeastOnce', timeoutMs: 400 },
  },
  operatorEvents: ['finish'],
};

export const contextOf = (view: { context: unknown } | undefined): Context => view!.context as Context;
