/** Which events of a message are told, and that one of them is final (docs/callback-events.md). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeliveryInput, MessageCallback } from '../../machines/delivery/input.ts';
import { messageMachine } from '../../machines/message.ts';
import type { MessageInput } from '../../machines/message/input.ts';
import { isClosed, itemsOf } from './deliveryItems.ts';
import { Story } from './story.ts';

const DAY = 86_400_000;

const sms: MessageInput['routes'] = [
  { by: 'sms', submission: { owner: 3, route: 1, to: '5511987650000', from: '', text: 'hi' } },
];
const chat: MessageInput['routes'] = [
  { by: 'chat', submission: { channel: 'msgapp', line: 8, body: { to: '5511987650000', type: 'text' } } },
];

const aMessage = (routes: MessageInput['routes'], ...events: string[]): Story =>
  new Story(messageMachine, {
    channel: routes[0]!.by === 'sms' ? 'sms' : 'msgapp',
    routes,
    destination: '5511987650000',
    sender: 'SHOP',
    contentType: 'text',
    body: 'a secret word',
    ...{ correlation: 'order-1', related: '', campaignId: '', callId: '', segments: 1, price: 0, refund: [] },
    callback: { url: '', events, delivery: 900 },
  } satisfies MessageInput);

const acknowledged = ['acknowledged', { providerId: 'p-1', answer: 'taken' }] as const;
const receipt = (status: string) => ['receipt', { status, occurredAt: 0 }] as const;

const subjects = (told: Story): MessageCallback[] =>
  itemsOf(told).map(({ subject }) => subject as MessageCallback);
const names = (told: Story): string[] => subjects(told).map(({ event }) => event);
const finals = (told: Story): string[] =>
  subjects(told)
    .filter(({ final }) => final)
    .map(({ event }) => event);
/** Whether the delivery waits for more. */
const waits = (told: Story): boolean => !isClosed(told) && itemsOf(told).at(-1)?.last === false;

describe('the events of an SMS', () => {
  it('are sent and delivered, of which the second is final', () => {
    const told = aMessage(sms, 'all')
      .hears(...acknowledged)
      .passes(900)
      .hears(...receipt('delivered'));
    expect([names(told), finals(told), waits(told)]).toEqual([['sent', 'delivered'], ['delivered'], false]);
    expect(subjects(told).map(({ record }) => record['state'])).toEqual(['acknowledged', 'delivered']);
  });

  it('are only the final one unless more are asked for', () => {
    const told = aMessage(sms).hears(...acknowledged);
    expect(names(told)).toEqual([]);
    expect(names(told.hears(...receipt('delivered')))).toEqual(['delivered']);
  });

  it('end with failed when it is refused, and when a receipt says so', () => {
    const refused = { code: '300', text: 'no', answer: '{}' };
    expect(names(aMessage(sms, 'all').hears('refused', refused))).toEqual(['failed']);
    const told = aMessage(sms, 'all')
      .hears(...acknowledged)
      .hears(...receipt('failed'));
    expect([names(told), finals(told)]).toEqual([['sent', 'failed'], ['failed']]);
  });

  it('end with undelivered when it cannot be brought to the person', () => {
    const told = aMessage(sms)
      .hears(...acknowledged)
      .hears(...receipt('undelivered'));
    expect([names(told), subjects(told)[0]!.record['state']]).toEqual([['undelivered'], 'undelivered']);
  });

  it('end with undelivered when nobody ever says that it arrived; its record says how far it came', () => {
    const told = aMessage(sms, 'all').hears(...acknowledged);
    told.passes(3 * DAY - 1);
    expect([finals(told), waits(told)]).toEqual([[], true]);
    told.passes(1);
    expect([names(told), finals(told), waits(told)]).toEqual([
      ['sent', 'undelivered'],
      ['undelivered'],
      false,
    ]);
    expect(subjects(told)[1]!.record).toMatchObject({ state: 'acknowledged', outcome_code: '0' });
  });

  it('end with undelivered when nobody knows whether it was sent', () => {
    const told = aMessage(sms, 'all').hears('outcomeUnknown', { effect: 'submitSms', params: {} });
    expect(names(told)).toEqual([]);
    told.passes(3 * DAY);
    expect([names(told), subjects(told)[0]!.record['state']]).toEqual([['undelivered'], 'unknown']);
  });

  it('come in their order when a receipt overtakes the acknowledgement', () => {
    const told = aMessage(sms, 'all')
      .hears(...receipt('delivered'))
      .hears(...acknowledged);
    expect([names(told), finals(told)]).toEqual([['sent', 'delivered'], ['delivered']]);
  });
});

describe('the events of a chat message', () => {
  it('go on after the final one until it is read, where that is asked for', () => {
    const told = aMessage(chat, 'read')
      .hears(...acknowledged)
      .hears(...receipt('delivered'));
    expect([names(told), finals(told), waits(told)]).toEqual([['delivered'], ['delivered'], true]);
    told.hears(...receipt('read'));
    expect([names(told), finals(told), waits(told)]).toEqual([['delivered', 'read'], ['delivered'], false]);
  });

  it('let the delivery go when it is never read', () => {
    const told = aMessage(chat, 'all')
      .hears(...acknowledged)
      .hears(...receipt('delivered'))
      .passes(30 * DAY);
    expect([names(told), isClosed(told), waits(told)]).toEqual([['sent', 'delivered'], true, false]);
  });

  it('end with delivered where nobody asks for read', () => {
    const told = aMessage(chat)
      .hears(...acknowledged)
      .hears(...receipt('delivered'))
      .hears(...receipt('read'));
    expect([names(told), waits(told), isClosed(told)]).toEqual([['delivered'], false, false]);
  });

  it('say that it was delivered before they say that it was read, whichever is heard first', () => {
    const told = aMessage(chat, 'all')
      .hears(...acknowledged)
      .hears(...receipt('read'));
    expect([names(told), finals(told)]).toEqual([['sent', 'delivered', 'read'], ['delivered']]);
    told.hears(...receipt('delivered'));
    expect(names(told)).toHaveLength(3);
  });
});

describe('an event of a message', () => {
  it('starts the delivery under the id that was made for it', () => {
    const told = aMessage(sms)
      .hears(...acknowledged)
      .hears(...receipt('delivered'));
    const { kind, id, input } = told.all.find(({ name }) => name === 'startMachine')!.params as {
      kind: string;
      id: number;
      input: DeliveryInput;
    };
    expect([kind, id, input]).toMatchObject([
      'delivery',
      900,
      { purpose: 'callback', open: false, about: 'message 77', aboutId: 77 },
    ]);
    expect(input.target).toBe('the callback address of the account');
  });

  it('carries the record, without what was said and without the provider’s own words', () => {
    const told = aMessage(sms)
      .hears(...acknowledged)
      .hears(...receipt('delivered'));
    const [{ record, ...head }] = subjects(told) as [MessageCallback];
    expect(head).toEqual({
      ...{ what: 'message', url: '', id: 77, event: 'delivered', seq: 1, at: told.start, final: true },
    });
    expect(record).toMatchObject({ channel: 'sms', correlation: 'order-1', provider_id: 'p-1' });
    expect(JSON.stringify(record)).not.toMatch(/secret word|taken|payload/);
  });

  it('is none for a message that nobody wants to hear of', () => {
    const { callback: _, ...input } = aMessage(sms).context['message'] as unknown as MessageInput;
    const told = new Story(messageMachine, input).hears(...acknowledged).hears(...receipt('delivered'));
    expect([itemsOf(told), isClosed(told), 'told' in told.context]).toEqual([[], false, false]);
  });
});

describe('a message, walked at random', () => {
  const facts = fc.oneof(
    fc.constant(acknowledged),
    fc.constantFrom('sent', 'delivered', 'read', 'failed', 'undelivered').map(receipt),
    fc.constantFrom(
      ['slow', {}] as const,
      ['refused', { code: '1', text: '', answer: '' }] as const,
      ['unavailable', { text: '', answer: '' }] as const,
      ['outcomeUnknown', { effect: 'submitSms', params: {} }] as const,
      ['resolveUnknown', { sent: true }] as const,
      ['resolveUnknown', { sent: false }] as const,
    ),
    fc.constant(null),
  );
  const wishes = fc.constantFrom<string[]>([], ['all'], ['read'], ['sent', 'read'], ['sent']);

  it('is told to have come to one end, each event once, and leaves no delivery waiting', () => {
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 12 }), fc.boolean(), wishes, (walk, isSms, events) => {
        const told = aMessage(isSms ? sms : chat, ...events);
        for (const step of walk) {
          if (told.isOver) break;
          if (step) told.hears(step[0], step[1]);
          else told.waits();
        }
        while (!told.isOver) told.waits();
        const heard = names(told);
        expect([new Set(heard).size, finals(told).length, waits(told)]).toEqual([heard.length, 1, false]);
        for (const name of ['sent', 'read'])
          if (heard.includes(name)) expect(['all', name].some((wish) => events.includes(wish))).toBe(true);
        if (heard.includes('read')) expect(heard.slice(-2)).toEqual(['delivered', 'read']);
      }),
      { numRuns: 600 },
    );
  });
});
