/**
 * Deliveries, a receiver that is down, and the limiter between them: charts, dispatcher and limiter as they are, on one
 * clock.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { deliveryMachine } from '../../../machines/delivery.ts';
import { deliveryRecordTable } from '../../../machines/delivery/record.ts';
import type { DeliveryEffects } from '../../../machines/contracts/delivery.ts';
import type { DeliveryTransport } from '../../../src/providers/contracts/delivery.ts';
import { openDeliveryDispatcher } from '../../../src/providers/delivery/deliveryDispatcher.ts';
import { openEndpointLimiter } from '../../../src/providers/delivery/webhook/endpointLimiter.ts';
import { type EffectCall, Retryable, NotRetryable } from '../../../src/engine/contract/performer.ts';
import { Story } from '../../machines/story.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = 1_700_000_000_000;

let clock: number;
/** Requests that were sent, by delivery. */
let requests: Map<number, number[]>;
let answer: () => void;
let deliver: (told: Story, id: number) => Promise<void>;
beforeEach(() => {
  clock = START;
  requests = new Map();
  const limiter = openEndpointLimiter({ now: () => clock, clock: () => clock });
  const transport: DeliveryTransport = {
    carry: ({ machine: { account, id }, insists, signal }) =>
      limiter.pass(
        { account, origin: 'https://a.example' },
        async () => {
          requests.set(id, [...(requests.get(id) ?? []), clock]);
          answer();
        },
        { insists, signal },
      ),
  };
  const dispatcher = openDeliveryDispatcher({ callback: transport });
  deliver = async (told, id) => {
    const params = told.last('deliver') as unknown as DeliveryEffects['deliver'];
    try {
      const performed = await dispatcher.performers.deliver(callOf(id, params));
      for (const { type, ...facts } of performed!.events ?? []) told.hears(type, facts);
    } catch (error) {
      const { reason, message } = error as NotRetryable;
      told.hears('deliverFailed', { params, reason, message });
    }
  };
});

const callOf = (id: number, params: DeliveryEffects['deliver']): EffectCall<DeliveryEffects['deliver']> => ({
  ...{ id: `a.3.${id}.1.0`, name: 'deliver', params, attempt: 1, seen: {} },
  machine: { shard: 'a', account: 3, id, kind: 'delivery' },
  signal: new AbortController().signal,
});

const input = { purpose: 'callback', subject: {}, about: 'call 5', target: 'https://a.example' };
const isSettled = ({ state }: Story): boolean => state === 'delivered' || state === 'deadLetter';

/** They are born seconds apart and live on until the last is settled; `each`: what happens as time goes on. */
const live = async (count: number, each: () => void = () => {}): Promise<Story[]> => {
  const stories = Array.from(
    { length: count },
    (_, n) => new Story(deliveryMachine, input, START + n * 1_000, n),
  );
  for (;;) {
    const waiting = stories.filter((told) => !isSettled(told));
    const next = waiting.reduce<Story | undefined>((a, b) => (a && dueAt(a) <= dueAt(b) ? a : b), undefined);
    if (!next) return stories;
    clock = dueAt(next);
    each();
    if (next.state !== 'attempting') next.waits();
    await deliver(next, stories.indexOf(next));
  }
};

const dueAt = (told: Story): number =>
  told.state === 'attempting' ? told.at : Math.min(...[...told.timers.values()].map(({ due }) => due));

const results = (stories: readonly Story[]): unknown[] =>
  stories.map((told) => deliveryRecordTable.onUpdate(told.context, told.state)['result']);

const down = () => {
  throw new Retryable('it answered HTTP 500');
};

describe('deliveries to a receiver that is down', () => {
  it('are dead letters after 8 requests each, none spent without one, within the schedule and 8 hours', async () => {
    answer = down;
    const stories = await live(50);
    expect(results(stories)).toEqual(stories.map(() => -8));
    expect(stories.map((_, n) => requests.get(n)!.length)).toEqual(stories.map(() => 8));
    expect(Math.max(...stories.map(({ at, start }) => at - start))).toBeLessThan(
      (27.6 * 1.1 + 8 * 1.6) * HOUR,
    );
  });

  it('keep the pauses of their schedule between one request and the next', async () => {
    answer = down;
    await live(50);
    const least = [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
    for (const sent of requests.values())
      for (const [nth, pause] of least.entries())
        expect(sent[nth + 1]! - sent[nth]!).toBeGreaterThanOrEqual(pause);
  });

  it('arrive when it is back, however often they were put off', async () => {
    answer = down;
    const stories = await live(200, () => {
      if (clock > START + 50 * MINUTE) answer = () => {};
    });
    expect(stories.map(({ state }) => state)).toEqual(stories.map(() => 'delivered'));
    // What was put off comes soon; what was tried keeps to the schedule.
    const untried = stories.filter((_, n) => requests.get(n)!.length === 1);
    expect(untried.length).toBeGreaterThan(100);
    expect(Math.max(...untried.map(({ at }) => at))).toBeLessThan(START + 2 * HOUR);
  });

  it('are dead letters at once when it says that it is gone', async () => {
    answer = () => {
      throw new NotRetryable('gone', 'it says that it is gone for good (HTTP 410)');
    };
    expect(results(await live(10))).toEqual(Array.from({ length: 10 }, () => -1));
  });
});
