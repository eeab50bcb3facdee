/**
 * A delivery of several items: in their order, each with its own attempts, none twice, the one that counts never lost.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryMachine } from '../../machines/delivery.ts';
import { explainDelivery } from '../../machines/delivery/explain.ts';
import { MAX_DELIVERY_QUEUE_LENGTH } from '../../machines/delivery/queue.ts';
import { deliveryRecordTable } from '../../machines/delivery/record.ts';
import { Story } from './story.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const event = (seq: number, final = false) => ({ what: 'call', seq, final });

/** A delivery whose first event is on its way, and more may follow. */
const opened = (): Story =>
  new Story(deliveryMachine, {
    purpose: 'callback',
    subject: event(1),
    open: true,
    about: 'call 5',
    aboutId: 5,
    target: 'https://example.com/hook',
  });

const enqueue = (told: Story, seq: number, final = false): Story =>
  told.hears('enqueue', { parcel: { subject: event(seq, final), last: final } });
const attempt = (told: Story): number => Number(told.last('deliver')['attempt']);
const seqUnderWay = (told: Story): number => told.last('deliver')['subject']!['seq'];
const arrives = (told: Story): Story => told.hears('delivered', { attempt: attempt(told) });
const fails = (told: Story, facts: object = {}): Story =>
  told.hears('notDelivered', { attempt: attempt(told), message: 'nobody is there', ...facts });
const record = (told: Story): Record<string, unknown> =>
  deliveryRecordTable.onUpdate(told.context, told.state);
/** Numbers of the events that a transport was sent with, in order. */
const carried = (told: Story): number[] =>
  told.all.filter(({ name }) => name === 'deliver').map(({ params }) => (params['subject'] as never)['seq']);
/** Fails the item at the head until it is a dead letter. */
const buries = (told: Story): Story => {
  for (let left = 8; told.state !== 'deadLetter'; left -= 1) {
    if (left === 0) throw new Error(`no dead letter in ${told.state}`);
    fails(told);
    if (told.state === 'retrying') told.waits();
  }
  return told;
};

describe('an open delivery', () => {
  it('brings one event after the other, in their order, and ends with the last', () => {
    const told = opened();
    enqueue(enqueue(told, 2), 3, true);
    expect([carried(told), record(told)['waiting']]).toEqual([[1], 2]);
    arrives(told);
    expect([carried(told), told.state, record(told)['result']]).toEqual([[1, 2], 'attempting', 0]);
    arrives(arrives(told.passes(40)));
    expect([carried(told), told.state, told.isOver]).toEqual([[1, 2, 3], 'delivered', true]);
    expect(record(told)).toMatchObject({ result: 1, attempts: 1, waiting: 0, finished: true });
    expect(record(told)['delivered_at']).toBe(told.at);
  });

  it('waits when all is brought, for the next event or the word that none follows', () => {
    const told = arrives(opened());
    expect([told.state, record(told)]).toMatchObject(['idle', { result: 0, finished: false }]);
    enqueue(told.passes(3 * HOUR), 2);
    expect([told.state, seqUnderWay(told)]).toEqual(['attempting', 2]);
    arrives(told).hears('close');
    expect(told.state).toBe('delivered');
  });

  it('ends when its last event was on its way as it heard that none follows', () => {
    expect(arrives(opened().hears('close')).state).toBe('delivered');
  });

  it('does not wait for ever for a sender that is gone', () => {
    const told = arrives(opened());
    told.passes(400 * DAY - 1);
    expect(told.state).toBe('idle');
    expect(told.passes(1).state).toBe('delivered');
  });

  it('takes nothing after the last', () => {
    const told = enqueue(opened(), 2, true);
    enqueue(told, 3);
    arrives(arrives(told));
    expect([told.state, carried(told)]).toEqual(['delivered', [1, 2]]);
  });

  it('counts the attempts of each event by itself', () => {
    const told = enqueue(opened(), 2, true);
    fails(told).waits();
    fails(told).waits();
    expect(record(told)).toMatchObject({ attempts: 3 });
    arrives(told);
    expect(record(told)).toMatchObject({ attempts: 1, last_error: '' });
    fails(told);
    const failedAt = told.at;
    expect(told.waits().at - failedAt).toBeLessThanOrEqual(5.5 * SECOND);
    expect(record(arrives(told))).toMatchObject({ result: 2, attempts: 2 });
  });

  it('does not take what is heard late of one event for the next', () => {
    const told = enqueue(enqueue(opened(), 2), 3, true);
    fails(told).waits();
    const [first, second] = [1, 2];
    told.hears('delivered', { attempt: second });
    expect(seqUnderWay(told)).toBe(2);
    for (const late of [first, second]) {
      told.hears('delivered', { attempt: late });
      told.hears('notDelivered', { attempt: late, message: 'late' });
      told.hears('deliverFailed', { params: { attempt: late }, reason: 'gone', message: '' });
      told.hears('deferred', { attempt: late, message: '', afterMs: 1 });
      told.hears('partly', { attempt: late, resume: 'x' });
    }
    expect([told.state, seqUnderWay(told), carried(told)]).toEqual(['attempting', 2, [1, 1, 2]]);
  });

  it('believes that an earlier attempt of the same event has arrived after all', () => {
    const told = enqueue(opened(), 2, true);
    told.passes(2 * HOUR);
    expect(told.state).toBe('retrying');
    told.hears('delivered', { attempt: 1 });
    expect([told.state, seqUnderWay(told)]).toEqual(['attempting', 2]);
  });
});

describe('a delivery that is put off', () => {
  const putOff = (told: Story, afterMs = 9 * SECOND): Story =>
    told.hears('deferred', { attempt: attempt(told), message: '40 wait before it', afterMs });

  it('is tried when it was told to, and that costs no attempt', () => {
    const told = putOff(opened());
    expect([told.state, record(told)['attempts']]).toEqual(['deferred', 0]);
    expect(explainDelivery(told.context as never)).toEqual([
      {
        rule: 'line',
        detail: 'it waits for https://example.com/hook: 40 wait before it',
        at: told.start,
        until: told.start + 9 * SECOND,
      },
    ]);
    expect(told.waits().at - told.start).toBe(9 * SECOND);
    for (let more = 0; more < 20; more += 1) putOff(told).waits();
    expect([told.state, record(told)['attempts']]).toEqual(['attempting', 1]);
    buries(told);
    expect(record(told)).toMatchObject({ attempts: 8, result: -8 });
  });

  it('keeps its place in the schedule', () => {
    const told = fails(opened()).waits();
    putOff(told).waits();
    fails(told);
    const failedAt = told.at;
    expect(told.waits().at - failedAt).toBeGreaterThanOrEqual(5 * MINUTE);
  });

  it('can be hurried, and given up', () => {
    expect(putOff(opened()).hears('retryNow').state).toBe('attempting');
    expect(putOff(opened()).hears('cancel').state).toBe('givenUp');
    expect(putOff(opened().hears('cancel')).state).toBe('givenUp');
  });
});

describe('a delivery whose target is left alone', () => {
  const leftAlone = (told: Story, afterMs = 20 * MINUTE): Story =>
    told.hears('deferred', { attempt: attempt(told), message: 'it rests', afterMs, leftAlone: true });
  const insists = (told: Story): boolean => told.last('deliver')['insists'] ?? false;

  it('says so, and until when it waits', () => {
    const told = leftAlone(opened());
    expect([told.state, record(told)]).toMatchObject([
      'deferred',
      { attempts: 0, next_at: told.at + 20 * MINUTE },
    ]);
    expect(explainDelivery(told.context as never)).toEqual([
      {
        rule: 'leftAlone',
        detail: 'it waits for https://example.com/hook: it rests',
        at: told.start,
        until: told.start + 20 * MINUTE,
      },
    ]);
  });

  it('waits an hour for it, then is tried all the same, and each attempt has an hour of its own', () => {
    const told = opened();
    for (let failures = 0; failures < 8; failures += 1) {
      const since = told.at;
      while (!insists(told)) leftAlone(told).waits();
      expect(told.at - since).toBe(HOUR);
      fails(told);
      if (failures < 7) told.waits();
    }
    expect([told.state, record(told)]).toMatchObject(['deadLetter', { attempts: 8, result: -8 }]);
    told.hears('replay');
    expect(insists(told)).toBe(false);
  });

  it('does not take the wait of one event for that of the next', () => {
    const told = leftAlone(enqueue(opened(), 2)).waits();
    leftAlone(arrives(told).passes(2 * HOUR)).waits();
    expect([seqUnderWay(told), insists(told)]).toEqual([2, false]);
  });

  it('is tried at once when an operator wants it', () => {
    const told = leftAlone(opened()).hears('retryNow');
    expect([told.state, insists(told)]).toEqual(['attempting', true]);
  });
});

describe('an item that is brought in parts', () => {
  const part = (told: Story, resume: string): Story =>
    told.hears('partly', { attempt: attempt(told), resume });

  it('goes on at once where it was, and that costs no attempt', () => {
    const told = part(part(opened(), 'page 1'), 'page 2');
    expect([told.state, told.at - told.start, told.last('deliver')]).toMatchObject([
      'attempting',
      0,
      { resume: 'page 2', attempt: 3 },
    ]);
    expect(record(arrives(told.hears('close')))).toMatchObject({ attempts: 1, state: 'delivered' });
  });

  it('goes on where a failed attempt had come', () => {
    const told = fails(part(opened(), 'page 1'), { resume: 'page 1, line 7' }).waits();
    expect(told.last('deliver')['resume']).toBe('page 1, line 7');
    expect(fails(told).waits().last('deliver')['resume']).toBe('page 1, line 7');
  });

  it('has all its attempts for each part', () => {
    const told = opened();
    for (let tries = 0; tries < 7; tries += 1) fails(told).waits();
    part(told, 'page 1');
    expect(fails(told).state).toBe('retrying');
  });

  it('leaves the next item at its beginning', () => {
    const told = arrives(part(enqueue(opened(), 2), 'page 1'));
    expect([seqUnderWay(told), 'resume' in told.last('deliver')]).toEqual([2, false]);
  });

  it('stops between two parts when it is given up', () => {
    expect(part(opened().hears('cancel'), 'page 1').state).toBe('givenUp');
  });
});

describe('a dead letter with others behind it', () => {
  it('keeps all of them, takes more, and goes on from it in their order', () => {
    const told = buries(enqueue(opened(), 2));
    enqueue(told, 3, true);
    expect([told.state, record(told)]).toMatchObject(['deadLetter', { waiting: 2, result: -8 }]);
    expect(explainDelivery(told.context as never)[0]!.detail).toBe(
      'attempt 8 to reach https://example.com/hook failed: nobody is there; 2 more wait behind it',
    );
    told.hears('replay');
    expect([told.state, record(told)['result'], seqUnderWay(told)]).toEqual(['attempting', 0, 1]);
    arrives(arrives(arrives(told)));
    expect([told.state, carried(told).slice(-3), record(told)['result']]).toEqual([
      'delivered',
      [1, 2, 3],
      1,
    ]);
  });

  it('is sent again once, however often somebody asks', () => {
    const told = buries(opened()).hears('replay').hears('replay').hears('retryNow');
    expect([told.state, told.count('deliver')]).toEqual(['attempting', 9]);
  });

  it('comes at once when the receiver wants nothing any more', () => {
    const told = enqueue(opened(), 2, true);
    told.hears('deliverFailed', { params: told.last('deliver'), reason: 'gone', message: '410' });
    expect([told.state, record(told)['result'], record(told)['waiting']]).toEqual(['deadLetter', -1, 1]);
  });

  it('stays for 30 days after the last event that came', () => {
    const told = buries(opened()).passes(29 * DAY);
    enqueue(told, 2, true);
    told.passes(30 * DAY - 1);
    expect(told.state).toBe('deadLetter');
    expect(told.passes(1).state).toBe('givenUp');
    expect(record(told)).toMatchObject({ result: -8, finished: true });
  });
});

describe('a full queue', () => {
  const full = (): Story => {
    const told = opened();
    for (let seq = 2; seq <= MAX_DELIVERY_QUEUE_LENGTH; seq += 1) enqueue(told, seq);
    return told;
  };
  const seqs = (told: Story): number[] =>
    (told.context['queue'] as unknown as { subject: { seq: number } }[]).map(({ subject }) => subject.seq);

  it('leaves out the oldest that waits, never what is under way or counts, and says so', () => {
    const told = enqueue(full(), 65);
    expect(seqs(told)).toEqual([1, ...Array.from({ length: 63 }, (_, place) => place + 3)]);
    enqueue(told, 66, true);
    for (let seq = 67; seq < 70; seq += 1) enqueue(told, seq);
    expect([seqs(told).length, seqs(told)[0], seqs(told).at(-1)]).toEqual([MAX_DELIVERY_QUEUE_LENGTH, 1, 66]);
    expect(explainDelivery(told.context as never)[0]).toMatchObject({
      rule: 'queue',
      detail: '2 events were left out: too many waited',
    });
  });

  it('brings what it holds', () => {
    const told = enqueue(full(), 65, true);
    while (!told.isOver) arrives(told);
    expect([carried(told).length, carried(told).at(-1)]).toEqual([MAX_DELIVERY_QUEUE_LENGTH, 65]);
  });
});

describe('an open delivery, walked at random', () => {
  const attempts = fc.integer({ min: -3, max: 0 });
  const facts = fc.oneof(
    { weight: 4, arbitrary: fc.constant('next' as const) },
    { weight: 2, arbitrary: fc.constant('waits' as const) },
    {
      weight: 6,
      arbitrary: fc.tuple(
        fc.constantFrom('delivered', 'notDelivered', 'deferred', 'partly', 'deliverFailed'),
        attempts,
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom('replay' as const, 'retryNow' as const, 'takenOver' as const) },
  );

  it('carries in order, one at a time, nothing that was brought, and the final one at last', () => {
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 120 }), fc.integer({ min: 1, max: 90 }), (walk, last) => {
        const told = opened();
        let seq = 1;
        const brought = new Set<number>();
        const hear = (type: string, number: number): void => {
          const before = seqUnderWay(told);
          const count = told.count('deliver');
          told.hears(type, {
            ...{ attempt: number, params: { attempt: number }, message: 'm', reason: 'x' },
            ...{ afterMs: 7, resume: 'r' },
          });
          if (type === 'delivered' && (told.count('deliver') > count || told.isOver || told.state === 'idle'))
            brought.add(before);
          if (told.count('deliver') > count) expect(brought).not.toContain(seqUnderWay(told));
        };
        const next = (): void => {
          seq += 1;
          if (seq <= last) enqueue(told, seq, seq === last);
        };
        for (const step of walk) {
          if (told.isOver) break;
          if (step === 'next') next();
          else if (step === 'waits') {
            if (told.timers.size > 0 && told.state !== 'idle' && told.state !== 'deadLetter') told.waits();
          } else if (typeof step === 'string') told.hears(step);
          else hear(step[0], attempt(told) + step[1]);
        }
        while (seq < last) next();
        if (last === 1) told.hears('close');
        for (let left = 400; !told.isOver; left -= 1) {
          if (left === 0) throw new Error(`stuck in ${told.state}`);
          if (told.state === 'attempting') hear('delivered', attempt(told));
          else if (told.state === 'deadLetter') told.hears('replay');
          else if (told.state === 'idle') told.hears('close');
          else told.waits();
        }
        const order = carried(told);
        expect(order).toEqual(order.toSorted((one, other) => one - other));
        const numbers = told.all
          .filter(({ name }) => name === 'deliver')
          .map(({ params }) => params['attempt']);
        expect(numbers).toEqual(numbers.map((_, place) => place + 1));
        expect(order.at(-1)).toBe(Math.max(1, last));
        expect([told.state, Number(record(told)['result']) > 0 || last === 1]).toEqual(['delivered', true]);
      }),
      { numRuns: 150 },
    );
  });
});
