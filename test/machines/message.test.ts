import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageMachine } from '../../machines/message.ts';
import { explainFailedMessage } from '../../machines/message/explain.ts';
import type { MessageInput, MessageRoute } from '../../machines/message/input.ts';
import { messageRecordTable } from '../../machines/message/record.ts';
import { Story } from './story.ts';

const DAY = 86_400_000;

const submission = (route: number) => ({ owner: 3, route, to: '5511987650000', from: '', text: 'hi' });
const bySms = (routes: number): MessageRoute[] =>
  Array.from({ length: routes }, (_, nth) => ({ by: 'sms', submission: submission(nth + 1) }));
const chat = { channel: 'msgapp', line: 8, body: { to: '5511987650000', type: 'text' } } as const;

/** The account and its reseller paid. */
const refund = [
  { account: 3, balance: 'balance', amount: 800, entry: 'refund' },
  { account: 2, balance: 'balance', amount: 800, entry: 'refund' },
];

const input = (routes: readonly MessageRoute[], price = 800): MessageInput => ({
  channel: routes[0]!.by === 'sms' ? 'sms' : 'msgapp',
  routes,
  destination: '5511987650000',
  sender: 'SHOP',
  contentType: 'text',
  body: 'hi',
  correlation: 'order-1',
  related: '',
  campaignId: '',
  callId: '',
  segments: 1,
  price,
  refund: price === 0 ? [] : refund,
  freedWhenRefused: ['duplicate:MakeSMS:x'],
});

const anSms = (routes = 1): Story => new Story(messageMachine, input(bySms(routes)));
const aChatMessage = (): Story => new Story(messageMachine, input([{ by: 'chat', submission: chat }]));

const acknowledged = { providerId: 'p-1', answer: 'taken' };
const receipt = (status: string, facts: object = {}): [string, Record<string, unknown>] => [
  'receipt',
  { status, occurredAt: 0, ...facts },
];
const record = (told: Story): Record<string, unknown> =>
  messageRecordTable.onUpdate(told.context, told.state);
const log = (told: Story): unknown[] => {
  const { state, outcome_code, refunded, finished } = record(told);
  return [state, outcome_code, refunded, finished];
};
const reached = (told: Story): unknown[] =>
  told.all.filter(({ name }) => name === 'reach').map(({ params }) => params['milestone']);

describe('an SMS', () => {
  it('is submitted at once, acknowledged, and done when it is delivered', () => {
    const told = anSms();
    expect(told.asked).toEqual([{ name: 'submitSms', params: submission(1) }]);
    expect(record(told)).toMatchObject({
      state: 'accepted',
      submitted_at: told.start,
      acknowledged_at: null,
    });
    told.passes(40).hears('acknowledged', acknowledged);
    expect([told.state, reached(told)]).toEqual(['acknowledged.sms', ['answered']]);
    told.passes(1_000).hears(...receipt('delivered', { occurredAt: told.start + 900 }));
    expect(told.isOver).toBe(true);
    expect(record(told)).toEqual({
      state: 'delivered',
      outcome_code: '0',
      outcome_text: 'OK',
      provider_id: 'p-1',
      raw_answer: 'taken',
      route_id: 1,
      refunded: false,
      pricing: '',
      sandbox: false,
      submitted_at: told.start,
      acknowledged_at: told.start + 40,
      delivered_at: told.start + 900,
      read_at: null,
      failed_at: null,
      finished: true,
    });
    expect(explainFailedMessage(told.context as never)).toEqual([]);
  });

  it('that is slow lets its caller go, and goes on', () => {
    const told = anSms().hears('slow');
    expect([told.state, reached(told), log(told)]).toEqual([
      'submitted',
      ['answered'],
      ['submitted', '1', false, false],
    ]);
    told.hears('acknowledged', acknowledged);
    expect(log(told)).toEqual(['acknowledged', '0', false, false]);
  });

  it('that is refused ends, gives the money back to everyone who paid, and is no duplicate any more', () => {
    const told = anSms().hears('refused', { code: '300', text: 'no', answer: 'raw no' });
    expect(told.asked).toEqual([
      ...refund.map((params) => ({ name: 'book', params })),
      { name: 'release', params: { key: 'duplicate:MakeSMS:x' } },
      { name: 'reach', params: { milestone: 'answered' } },
      { name: 'reach', params: { milestone: 'ended' } },
    ]);
    expect(log(told)).toEqual(['failed', '300', true, true]);
    expect(record(told)['raw_answer']).toBe('raw no');
    expect(explainFailedMessage(told.context as never)).toMatchObject([
      { rule: 'refused', detail: 'sms to 5511987650000: 300 no; what it cost was given back' },
    ]);
  });

  it('that cost nothing gives nothing back', () => {
    const told = new Story(messageMachine, input(bySms(1), 0)).hears('refused', {
      code: '1',
      text: '',
      answer: '',
    });
    expect([told.count('book'), log(told)]).toEqual([0, ['failed', '1', false, true]]);
  });

  it.each(['unavailable', 'submitSmsFailed'])(
    'tries its next way after %s, and fails after the last',
    (fact) => {
      const told = anSms(2).hears(fact, { text: 'away', reason: 'away', message: 'away', answer: '' });
      expect(told.asked).toEqual([{ name: 'submitSms', params: submission(2) }]);
      expect(log(told)).toEqual(['accepted', '', false, false]);
      told.hears(fact, { text: 'away', reason: 'away', message: 'away', answer: '' });
      expect([told.state, told.count('submitSms'), told.count('book')]).toEqual(['failed', 2, 2]);
    },
  );

  it('that was told to be slow stays so in the log while its next way is tried', () => {
    const told = anSms(2).hears('slow').hears('unavailable', { text: 'cut', answer: '' });
    expect([told.state, log(told)]).toEqual(['accepted', ['submitted', '1', false, false]]);
    expect(record(told)['route_id']).toBe(2);
  });

  it('of which nobody knows is not sent again by any way, and stays paid', () => {
    const told = anSms(3).hears('outcomeUnknown', { effect: 'submitSms', params: {} });
    expect([told.state, told.count('submitSms'), log(told)]).toEqual([
      'unknown',
      1,
      ['unknown', 'unknown', false, false],
    ]);
    told.waits();
    expect([told.at - told.start, told.state, log(told), told.count('book')]).toEqual([
      3 * DAY,
      'lost',
      ['unknown', 'unknown', false, true],
      0,
    ]);
    expect(explainFailedMessage(told.context as never)).toMatchObject([{ rule: 'unknown' }]);
  });

  it.each([
    ['delivered', ['delivered', '0', false, true]],
    ['sent', ['acknowledged', '0', false, false]],
    ['undelivered', ['undelivered', '17', true, true]],
    ['failed', ['failed', '17', true, true]],
  ])('of which nobody knew is settled by a receipt that says %s', (status, expected) => {
    const told = anSms().hears('outcomeUnknown', { effect: 'submitSms', params: {} });
    told.hears(...receipt(status, { providerId: 'p-9', code: '17' }));
    expect([log(told), record(told)['provider_id']]).toEqual([expected, 'p-9']);
  });

  it('of which nobody knew is settled by an operator', () => {
    const unknown = () => anSms().hears('outcomeUnknown', { effect: 'submitSms', params: {} });
    expect(log(unknown().hears('resolveUnknown', { sent: true }))).toEqual([
      'acknowledged',
      '0',
      false,
      false,
    ]);
    expect(log(unknown().hears('resolveUnknown', { sent: false }))).toEqual(['failed', 'failed', true, true]);
  });

  it('whose answer never comes counts as unknown, and a late word of it is heard', () => {
    const told = anSms().waits();
    expect([told.state, told.at - told.start]).toEqual(['unknown', 30 * 60_000]);
    expect(log(told.hears('unavailable', { text: 'not sent', answer: '' }))).toEqual([
      'failed',
      'unavailable',
      true,
      true,
    ]);
    expect(log(anSms().waits().hears('acknowledged', acknowledged))[0]).toBe('acknowledged');
  });

  it('without a receipt is done after three days, and stays acknowledged', () => {
    const told = anSms().hears('acknowledged', acknowledged).waits();
    expect([told.state, told.at - told.start, log(told)]).toEqual([
      'done',
      3 * DAY,
      ['acknowledged', '0', false, true],
    ]);
  });

  it('whose receipt says no is given back, and its acknowledgement stays known', () => {
    const told = anSms().hears('acknowledged', acknowledged).passes(500);
    told.hears(...receipt('undelivered', { code: '3', text: 'absent', occurredAt: told.start + 400 }));
    expect([log(told), told.count('book'), told.count('release')]).toEqual([
      ['undelivered', '3', true, true],
      2,
      0,
    ]);
    expect(record(told)).toMatchObject({ acknowledged_at: told.start, failed_at: told.start + 400 });
  });

  it('whose receipt overtook the answer is delivered', () => {
    const told = anSms().hears(...receipt('delivered', { providerId: 'p-2' }));
    expect([log(told), record(told)['provider_id']]).toEqual([['delivered', '0', false, true], 'p-2']);
  });

  it('whose receipt of a failure overtook the answer was never taken', () => {
    const told = anSms().hears(...receipt('failed', { code: '8' }));
    expect([log(told), record(told)['acknowledged_at']]).toEqual([['failed', '8', true, true], null]);
  });
});

describe('a chat message', () => {
  it('is posted, delivered, and read', () => {
    const told = aChatMessage();
    expect(told.asked).toEqual([{ name: 'submitChat', params: chat }]);
    expect(messageRecordTable.onInsert(told.context, { shard: 'a', account: 3, id: 77 })).toMatchObject({
      channel: 'msgapp',
      line_id: 8,
      payload: JSON.stringify(chat.body),
      price: 800,
    });
    told.hears('acknowledged', acknowledged).hears(...receipt('delivered'));
    expect([told.state, log(told)]).toEqual(['delivered', ['delivered', '0', false, false]]);
    told.passes(5_000).hears(...receipt('read'));
    expect([log(told), record(told)['read_at']]).toEqual([['read', '0', false, true], told.start + 5_000]);
  });

  it('whose receipts come in disorder and twice is read in the end, with both moments', () => {
    const told = aChatMessage().hears('acknowledged', acknowledged);
    told.hears(...receipt('read', { occurredAt: told.start + 50 }));
    expect([told.state, log(told)]).toEqual(['read', ['read', '0', false, false]]);
    told
      .hears(...receipt('read'))
      .hears(...receipt('sent'))
      .hears(...receipt('failed'));
    expect(told.state).toBe('read');
    told.hears(...receipt('delivered', { occurredAt: told.start + 20 }));
    expect([told.isOver, record(told)]).toMatchObject([
      true,
      { state: 'read', delivered_at: told.start + 20, read_at: told.start + 50 },
    ]);
  });

  it('keeps the answer that a receipt overtook', () => {
    const told = aChatMessage()
      .hears(...receipt('delivered'))
      .hears('acknowledged', acknowledged);
    expect(record(told)).toMatchObject({ state: 'delivered', provider_id: 'p-1', raw_answer: 'taken' });
  });

  it('may be read for a month; a delivery that stays away is not waited for long', () => {
    const told = aChatMessage()
      .hears('acknowledged', acknowledged)
      .hears(...receipt('delivered'))
      .waits();
    expect([told.state, told.at - told.start, log(told)[0]]).toEqual(['done', 30 * DAY, 'delivered']);
    const read = aChatMessage()
      .hears(...receipt('read'))
      .waits();
    expect([read.state, read.at - read.start, log(read)[0]]).toEqual(['done', 600_000, 'read']);
  });

  it('keeps no more of an answer than 4,000 characters', () => {
    const told = aChatMessage().hears('refused', {
      code: '1',
      text: 't'.repeat(9_000),
      answer: 'x'.repeat(9_000),
    });
    expect([String(record(told)['raw_answer']).length, String(record(told)['outcome_text']).length]).toEqual([
      4_000, 500,
    ]);
  });
});

describe('a message, walked at random', () => {
  type Heard = [type: string, facts: Record<string, unknown>];
  const fact = (type: string, facts: Heard[1] = {}): fc.Arbitrary<Heard> => fc.constant([type, facts]);
  const statuses = fc.constantFrom('sent', 'delivered', 'read', 'failed', 'undelivered');
  const step: fc.Arbitrary<Heard | null> = fc.oneof(
    fc.constant(null),
    statuses.map((status): Heard => receipt(status)),
    fact('slow'),
    fact('acknowledged', acknowledged),
    fact('refused', { code: '300', text: 'no', answer: '' }),
    fact('unavailable', { text: 'away', answer: '' }),
    fact('submitSmsFailed', { params: {}, reason: 'triesUsedUp', message: '' }),
    fact('submitChatFailed', { params: {}, reason: 'triesUsedUp', message: '' }),
    fact('outcomeUnknown', { effect: 'submitSms', params: {} }),
    fc.boolean().map((sent): Heard => ['resolveUnknown', { sent }]),
    fact('takenOver'),
  );
  /** How far the log says it has come; it never goes back. */
  const rank = [
    'accepted',
    'submitted',
    'unknown',
    'acknowledged',
    'delivered',
    'read',
    'undelivered',
    'failed',
  ];
  const notSent = ['unavailable', 'submitSmsFailed', 'submitChatFailed'];
  const someMessage = fc.oneof(
    fc.integer({ min: 1, max: 3 }).map((routes) => input(bySms(routes))),
    fc.constant(input([{ by: 'chat', submission: chat }])),
    fc.constant(input(bySms(2), 0)),
  );

  const isSound = (told: Story, wish: MessageInput): void => {
    const { state, refunded, finished } = record(told);
    const isBack = state === 'failed' || state === 'undelivered';
    const booked = told.all.filter(({ name }) => name === 'book').map(({ params }) => params);
    expect(booked).toEqual(isBack ? wish.refund : []);
    expect([refunded, finished]).toEqual([isBack && wish.refund.length > 0, told.isOver]);
    if (!told.isOver && told.timers.size === 0) throw new Error(`nothing would ever happen in ${told.state}`);
  };

  it('is submitted again only when it was surely not sent, refunded once or never, and never goes back', () => {
    fc.assert(
      fc.property(someMessage, fc.array(step, { maxLength: 25 }), (wish, walk) => {
        const told = new Story(messageMachine, wish);
        isSound(told, wish);
        let highest = 0;
        for (const [nth, heard] of walk.entries()) {
          const wasOver = told.isOver;
          if (wasOver && heard === null) break;
          if (heard) told.passes(nth).hears(...heard);
          else told.waits();
          const resent = told.asked.some(({ name }) => name.startsWith('submit'));
          if (resent && !(heard && notSent.includes(heard[0])))
            throw new Error(`sent again on ${heard?.[0]}`);
          if (wasOver) expect(told.asked).toEqual([]);
          isSound(told, wish);
          const now = rank.indexOf(String(record(told)['state']));
          expect(now).toBeGreaterThanOrEqual(highest);
          highest = now;
        }
        expect(told.count('submitSms') + told.count('submitChat')).toBeLessThanOrEqual(wish.routes.length);
        for (let left = 20; !told.isOver; left -= 1) {
          if (left === 0) throw new Error(`stuck in ${told.state}`);
          told.waits();
        }
        expect(reached(told)).toEqual(expect.arrayContaining(['answered', 'ended']));
      }),
      { numRuns: 2_000 },
    );
  });
});

it('the record of a message has the columns of the table, in its two parts', () => {
  const schema = readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
  const model = /model Message \{([\s\S]*?)\n\}/.exec(schema)![1]!;
  const names = (part: string): string[] =>
    [...part.matchAll(/^ {2}([a-z]\w*) /gm)].map((match) => match[1]!);
  const [before, after] = model.split('// living');
  expect(Object.keys(messageRecordTable.insertColumns)).toEqual(names(before!).slice(2));
  expect(Object.keys(messageRecordTable.updateColumns)).toEqual(names(after!));
});

describe('what the upstream counts a message as', () => {
  const pricing = { billable: true, model: 'PMP', category: 'marketing', type: 'regular' };
  const kept = (told: Story): unknown => JSON.parse(String(record(told)['pricing']) || 'null');
  const taken = (): Story => aChatMessage().hears('acknowledged', acknowledged);

  it('is kept from whichever receipt says so first, without another state', () => {
    const told = taken().hears(...receipt('sent', { pricing }));
    expect([told.state, kept(told)]).toEqual(['acknowledged.chat', pricing]);
    expect(kept(taken().hears(...receipt('delivered', { pricing })))).toEqual(pricing);
    expect(
      kept(
        taken()
          .hears(...receipt('read'))
          .hears(...receipt('delivered', { pricing })),
      ),
    ).toEqual(pricing);
    expect(kept(aChatMessage().hears(...receipt('sent', { pricing })))).toEqual(pricing);
  });

  it('changes nothing of what it is sold for', () => {
    const told = taken().hears(...receipt('delivered', { pricing }));
    expect(told.context).toMatchObject({ message: { price: 800 } });
    expect(told.count('book')).toBe(0);
  });
});
