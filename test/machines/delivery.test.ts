import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryMachine } from '../../machines/delivery.ts';
import { explainDelivery } from '../../machines/delivery/explain.ts';
import { deliveryRecordTable } from '../../machines/delivery/record.ts';
import { deliveryRetryPauseMs } from '../../machines/delivery/schedule.ts';
import { Story } from './story.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const subject = { campaign: 17, profile: 3, file: 'campaign-17.csv' };
const input = {
  purpose: 'results',
  subject,
  about: 'campaign 17',
  target: 'sftp://ana@files/campaign-17.csv',
};

const aDelivery = (id = 77): Story => new Story(deliveryMachine, input, 1_700_000_000_000, id);
const attempt = (told: Story): number => Number(told.last('deliver')['attempt']);
const fails = (told: Story, facts: object = {}): Story =>
  told.hears('notDelivered', { attempt: attempt(told), message: 'the host does not answer', ...facts });
const isRefused = (told: Story, reason = 'credentialsRefused'): Story =>
  told.hears('deliverFailed', { params: told.last('deliver'), reason, message: 'wrong password' });
const arrives = (told: Story): Story => told.hears('delivered', { attempt: attempt(told) });
const record = (told: Story): Record<string, unknown> =>
  deliveryRecordTable.onUpdate(told.context, told.state);

/** A delivery whose every attempt failed. */
const aDeadLetter = (): Story => {
  const told = aDelivery();
  for (let tries = 1; tries < 8; tries += 1) fails(told).waits();
  return fails(told);
};

describe('a delivery', () => {
  it('is tried at once, with its subject as it was given, and ends when it has arrived', () => {
    const told = aDelivery();
    expect(told.asked).toEqual([{ name: 'deliver', params: { purpose: 'results', subject, attempt: 1 } }]);
    arrives(told.passes(300));
    expect([told.state, told.isOver]).toEqual(['delivered', true]);
    expect(record(told)).toEqual({
      state: 'delivered',
      attempts: 1,
      result: 1,
      waiting: 0,
      last_error: '',
      next_at: null,
      delivered_at: told.start + 300,
      finished: true,
    });
    expect(explainDelivery(told.context as never)).toEqual([]);
  });

  it('is tried 8 times: after 5 s, 5 min, 30 min, 2 h, 5 h and twice 10 h, each at most a tenth later', () => {
    const told = aDelivery();
    const pauses: number[] = [];
    for (let tries = 1; tries < 8; tries += 1) {
      fails(told);
      expect(told.state).toBe('retrying');
      const failedAt = told.at;
      told.waits();
      pauses.push(told.at - failedAt);
    }
    fails(told);
    expect([told.state, told.count('deliver')]).toEqual(['deadLetter', 8]);
    const planned = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
    for (const [nth, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(planned[nth]!);
      expect(pause).toBeLessThanOrEqual(planned[nth]! * 1.1);
    }
  });

  it('spreads what failed together, and tells the same story of the same id', () => {
    const pauses = (id: number): number[] =>
      Array.from({ length: 7 }, (_, nth) => deliveryRetryPauseMs(id, nth + 1));
    expect(pauses(746_511_306_801_152)).toEqual(pauses(746_511_306_801_152));
    const neighbours = Array.from({ length: 100 }, (_, nth) =>
      deliveryRetryPauseMs(746_511_306_801_152 + nth, 2),
    );
    expect(new Set(neighbours.map((ms) => Math.floor(ms / 3_000))).size).toBe(10);
  });

  it('waits as long as the target asks, but not longer than a day, and never less than the schedule', () => {
    const pause = (afterMs: number): number => {
      const told = fails(aDelivery(), { afterMs });
      return told.waits().at - told.start;
    };
    expect(pause(20 * MINUTE)).toBe(20 * MINUTE);
    expect(pause(9 * DAY)).toBe(DAY);
    expect(pause(1)).toBeGreaterThanOrEqual(5 * SECOND);
  });

  it('becomes a dead letter at once when the target says no for good', () => {
    const told = isRefused(aDelivery());
    expect(told.state).toBe('deadLetter');
    expect(record(told)).toMatchObject({
      ...{ last_error: 'credentialsRefused: wrong password', result: -1, finished: false },
    });
  });

  it('tries again by the schedule when the fault was ours', () => {
    expect(isRefused(aDelivery(), 'triesUsedUp').state).toBe('retrying');
  });

  it('is sent again from the dead letter, with all its attempts', () => {
    const told = aDeadLetter().hears('replay');
    expect([told.state, attempt(told)]).toEqual(['attempting', 9]);
    fails(told);
    expect(told.state).toBe('retrying');
    expect(told.waits().at - told.start).toBeGreaterThan(5 * SECOND);
    arrives(told);
    expect(record(told)).toMatchObject({ state: 'delivered', attempts: 10, result: 10 });
  });

  it('does not wait when an operator says so', () => {
    const told = fails(aDelivery()).hears('retryNow');
    expect([told.state, told.at - told.start, attempt(told)]).toEqual(['attempting', 0, 2]);
  });

  it('can be given up while it waits, and as a dead letter', () => {
    for (const told of [fails(aDelivery()), aDeadLetter()]) {
      told.hears('cancel');
      expect([told.state, told.isOver]).toEqual(['givenUp', true]);
      expect(record(told)).toMatchObject({ finished: true, next_at: null });
      expect(record(told)['result']).toBe(-Number(record(told)['attempts']));
    }
  });

  it('is given up in the middle of an attempt only when that attempt fails', () => {
    expect(fails(aDelivery().hears('cancel')).state).toBe('givenUp');
    expect(arrives(aDelivery().hears('cancel')).state).toBe('delivered');
  });

  it('is not kept as a dead letter longer than 30 days', () => {
    const told = aDeadLetter();
    told.passes(30 * DAY - 1);
    expect(told.state).toBe('deadLetter');
    told.passes(1);
    expect(told.state).toBe('givenUp');
  });

  it('goes on when nothing is ever heard of an attempt, and believes a late success', () => {
    const told = aDelivery().passes(2 * HOUR);
    expect([told.state, told.context['failure']!['reason']]).toEqual(['retrying', 'noAnswer']);
    expect(told.hears('delivered', { attempt: 1 }).state).toBe('delivered');
  });

  it('does not count the late failure of an earlier attempt', () => {
    const told = fails(aDelivery()).waits();
    told.hears('notDelivered', { attempt: 1, message: '' });
    told.hears('deliverFailed', { params: { attempt: 1 }, reason: 'x', message: '' });
    expect([told.state, told.context['head']!['failures']]).toEqual(['attempting', 1]);
  });

  it('says why it waits, until when, and what it is about', () => {
    const told = fails(aDelivery());
    const [reason] = explainDelivery(told.context as never);
    expect(reason).toMatchObject({
      rule: 'notNow',
      detail: `attempt 1 to reach ${input.target} failed: the host does not answer`,
      at: told.start,
    });
    expect(reason!.until).toBeGreaterThanOrEqual(told.start + 5 * SECOND);
    expect(deliveryRecordTable.onInsert(told.context, { shard: 'a', account: 1, id: 77 })).toEqual({
      created_at: told.start,
      purpose: 'results',
      subject: 'campaign 17',
      target: input.target,
      about_id: 0,
    });
  });

  it('keeps no more of a message than 300 characters', () => {
    const told = fails(aDelivery(), { message: 'x'.repeat(5_000) });
    expect(String(record(told)['last_error'])).toHaveLength('notNow: '.length + 300);
  });
});

describe('a delivery, walked at random', () => {
  const attempts = fc.integer({ min: 0, max: 12 });
  const steps = fc.oneof(
    fc.constant(null),
    attempts.map((number) => ['notDelivered', { attempt: number, message: 'm' }] as const),
    attempts.map((number) => ['notDelivered', { attempt: number, message: 'm', afterMs: 9e9 }] as const),
    fc
      .tuple(attempts, fc.constantFrom('triesUsedUp', 'gone'))
      .map(
        ([number, reason]) =>
          ['deliverFailed', { params: { attempt: number }, reason, message: '' }] as const,
      ),
    fc
      .constantFrom('retryNow', 'replay', 'cancel', 'takenOver', 'somethingElse')
      .map((type) => [type, {}] as const),
    fc.constant(['delivered', { attempt: 1 }] as const),
  );

  it('never throws, never leaves its end, and ends once time passes', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 40 }), (walk) => {
        const told = aDelivery();
        for (const step of walk) {
          const wasOver = told.isOver;
          if (step) told.hears(step[0], step[1]);
          else if (!wasOver) told.waits();
          if (wasOver) expect([told.isOver, step === null || told.asked.length === 0]).toEqual([true, true]);
          expect(record(told)['finished']).toBe(told.isOver);
        }
        for (let left = 30; !told.isOver; left -= 1) {
          if (left === 0) throw new Error(`stuck in ${told.state}`);
          told.waits();
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

it('the record of a delivery has the columns of the table, in its two parts', () => {
  const schema = readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
  const model = /model Delivery \{([\s\S]*?)\n\}/.exec(schema)![1]!;
  const names = (part: string): string[] =>
    [...part.matchAll(/^ {2}([a-z]\w*) /gm)].map((match) => match[1]!);
  const [before, after] = model.split('// living');
  expect(Object.keys(deliveryRecordTable.insertColumns)).toEqual(names(before!).slice(2));
  expect(Object.keys(deliveryRecordTable.updateColumns)).toEqual(names(after!));
});
