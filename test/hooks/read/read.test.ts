import { describe, expect, test } from 'vitest';
import type { ChatHookEvent } from '../../../src/hooks/chatHookEventTypes.ts';
import { readPageMessagingHook } from '../../../src/hooks/read/pageChatOrPhotoDmHook.ts';
import { readMsgappHook } from '../../../src/hooks/read/msgapp.ts';
import { aboutMessages, msgappHook, pageHook, phone } from '../bodies.ts';

const eventsOf = (heard: readonly { event: ChatHookEvent }[]) => heard.map(({ event }) => event);

describe('a hook of Msgapp', () => {
  const read = (value: object) => eventsOf(readMsgappHook(aboutMessages(value)));
  const message = (type: string, content: object) =>
    read({ messages: [{ id: 'w1', from: '55119', timestamp: '1795188600', type, [type]: content }] })[0];

  test('says whose it is, and when', () => {
    const heard = readMsgappHook(
      aboutMessages({ statuses: [{ id: 'w1', status: 'sent', timestamp: '1795188600' }] }),
    );
    expect(heard).toMatchObject([{ identity: phone, event: { occurredAt: 1_795_188_600_000 } }]);
  });

  test('names each status in the words of receipts; one that is new to us is passed over', () => {
    const words = ['sent', 'delivered', 'read', 'played', 'failed', 'warning', 'constructor'];
    const events = read({ statuses: words.map((status) => ({ id: 'w1', status })) });
    expect(events.map((event) => (event.what === 'receipt' ? event.status : event))).toEqual([
      ...['sent', 'delivered', 'read', 'read', 'failed'],
      { what: 'other', type: 'status warning' },
      { what: 'other', type: 'status constructor' },
    ]);
  });

  test('says why a message failed in the most useful words there are', () => {
    const why = (...errors: object[]) => read({ statuses: [{ id: 'w1', status: 'failed', errors }] })[0];
    const error = { code: 131_047, title: 'Re-engagement', message: 'Re-engagement message' };
    expect(why({ ...error, error_data: { details: 'more than 24 hours' } })).toMatchObject({
      code: '131047',
      text: 'more than 24 hours',
    });
    expect(why(error)).toMatchObject({ text: 'Re-engagement' });
    expect(why()).toMatchObject({ code: '', text: '' });
  });

  test('brings every kind of message', () => {
    const said = { what: 'incoming', contact: '55119', sentAt: 1_795_188_600_000 };
    expect(message('text', { body: 'oi' })).toMatchObject({ ...said, type: 'text', text: 'oi', data: 'oi' });
    expect(message('image', { id: '31', mime_type: 'image/png', caption: 'c' })).toMatchObject({
      ...{ type: 'image', text: 'c', data: '31', file: { mimeType: 'image/png', name: '' } },
    });
    expect(message('sticker', { id: '31' })).toMatchObject({ type: 'sticker', data: '31' });
    expect(message('button', { text: 'Sim', payload: 'yes' })).toMatchObject({ type: 'button', data: 'yes' });
    expect(message('interactive', { list_reply: { id: 'r1', title: 'One' } })).toMatchObject({
      ...{ type: 'button', text: 'One', data: 'r1' },
    });
    expect(message('interactive', { nfm_reply: { response_json: '{}' } })).toMatchObject({
      ...{ type: 'interactive', data: '{"nfm_reply":{"response_json":"{}"}}' },
    });
    expect(message('reaction', { emoji: '👍', message_id: 'w0' })).toMatchObject({
      type: 'reaction',
      text: '👍',
    });
    expect(message('unsupported', {})).toMatchObject({ type: 'unsupported', data: '{}' });
    expect(message('constructor', {})).toMatchObject({ type: 'constructor', data: '{}' });
    expect(message('system', { body: 'changed number' })).toMatchObject({ what: 'other' });
  });

  test('tells what became of a template, whose id may be a number beyond all numbers', () => {
    const told = (value: object) =>
      eventsOf(readMsgappHook(msgappHook({ field: 'message_template_status_update', value })));
    expect(told({ event: 'REJECTED', message_template_id: '594425479261596123', reason: 'SCAM' })).toEqual([
      {
        ...{ what: 'template', upstreamId: '594425479261596123', status: 'REJECTED', reason: 'SCAM' },
        occurredAt: 1_795_188_600_000,
      },
    ]);
    expect(told({ event: 'APPROVED', message_template_id: 7, reason: 'NONE' })).toMatchObject([
      { upstreamId: '7', reason: '' },
    ]);
    expect(told({ event: 'APPROVED' })).toMatchObject([{ what: 'other' }]);
  });

  const notice = (field: string, value: object) => eventsOf(readMsgappHook(msgappHook({ field, value })))[0];
  const occurredAt = 1_795_188_600_000;

  test('tells what a template is taken for by now, cut short', () => {
    const about = { message_template_id: 7, message_template_name: 'n', message_template_language: 'pt_BR' };
    const category = { ...about, previous_category: 'UTILITY', new_category: 'MARKETING' };
    const quality = { ...about, previous_quality_score: 'GREEN', new_quality_score: 'YELLOW' };
    const told = { what: 'templateNotice', upstreamId: '7', occurredAt };
    expect(notice('template_category_update', category)).toEqual({
      ...{ ...told, trait: 'category', word: 'MARKETING' },
    });
    expect(notice('message_template_quality_update', quality)).toEqual({
      ...{ ...told, trait: 'quality', word: 'YELLOW' },
    });
    const long = { ...category, new_category: `${'x'.repeat(49)}😀` };
    expect(notice('template_category_update', long)).toMatchObject({ word: `${'x'.repeat(49)}\ufffd` });
    for (const empty of [{ ...about, new_category: '' }, { new_category: 'UTILITY' }, { ...about }])
      expect(notice('template_category_update', empty)).toMatchObject({ what: 'other' });
  });

  test('tells how a number is rated, and how much may be sent by it or by its business', () => {
    const number = { display_phone_number: '+1 555-078-3881', event: 'FLAGGED', current_limit: 'TIER_10K' };
    expect(notice('phone_number_quality_update', number)).toEqual({
      ...{ what: 'lineNotice', of: { number: '15550783881' }, occurredAt },
      ...{ quality: 'FLAGGED', messagingLimit: 'TIER_10K' },
    });
    expect(notice('business_capability_update', { max_daily_conversation_per_phone: 1000 })).toEqual({
      ...{ what: 'lineNotice', of: { business: '102290129340398' }, occurredAt },
      ...{ quality: '', messagingLimit: '1000' },
    });
    expect(notice('phone_number_quality_update', { event: 'FLAGGED' })).toMatchObject({ what: 'other' });
    expect(notice('constructor', {})).toEqual({ what: 'other', type: 'constructor' });
  });

  test('tells what a message is counted as, as far as it says', () => {
    const priced = (pricing: unknown) => read({ statuses: [{ id: 'w1', status: 'sent', pricing }] })[0];
    const pricing = { billable: true, pricing_model: 'PMP', category: 'marketing', type: 'regular' };
    expect(priced(pricing)).toMatchObject({
      pricing: { billable: true, model: 'PMP', category: 'marketing', type: 'regular' },
    });
    expect(priced({ category: 'x'.repeat(99), billable: 'yes', other: {} })).toMatchObject({
      pricing: { billable: null, model: '', category: 'x'.repeat(50), type: '' },
    });
    for (const none of [undefined, null, {}, [1], 'PMP']) expect(priced(none)).not.toHaveProperty('pricing');
  });
});

describe('a hook of a page', () => {
  const head = { sender: { id: '70' }, recipient: { id: '1' }, timestamp: 1_795_188_600_000 };
  const read = (...items: object[]) => eventsOf(readPageMessagingHook(pageHook('1', ...items)));

  test('brings texts, files, choices and buttons', () => {
    const image = { type: 'image', payload: { url: 'https://cdn.example/a.png' } };
    const [text, file, files, choice, button] = read(
      { ...head, message: { mid: 'm1', text: 'hi', reply_to: { mid: 'm0' } } },
      { ...head, message: { mid: 'm2', attachments: [image] } },
      { ...head, message: { mid: 'm3', text: 'two', attachments: [image, { type: 'location' }] } },
      { ...head, message: { mid: 'm4', text: 'Red', quick_reply: { payload: 'red' } } },
      { ...head, postback: { title: 'Start', payload: 'go' } },
    );
    expect(text).toMatchObject({ what: 'incoming', type: 'text', text: 'hi', related: 'm0', contact: '70' });
    expect(file).toMatchObject({ type: 'image', data: 'https://cdn.example/a.png' });
    expect(files).toMatchObject({ type: 'image', text: 'two', attachments: [{}, { type: 'location' }] });
    expect(choice).toMatchObject({ type: 'button', text: 'Red', data: 'red' });
    expect(button).toMatchObject({ type: 'button', data: 'go', upstreamId: 'postback.70.1795188600000' });
  });

  test('tells deliveries by id or up to a moment, and readings likewise', () => {
    const told = read(
      { ...head, delivery: { mids: ['m1', 'm2'], watermark: 5 } },
      { ...head, delivery: { watermark: 5 } },
      { ...head, read: { watermark: 6 } },
      { ...head, read: { mid: 'm1' } },
    );
    expect(told).toMatchObject([
      { what: 'receipt', status: 'delivered', providerId: 'm1', occurredAt: 5 },
      { what: 'receipt', status: 'delivered', providerId: 'm2' },
      { what: 'upTo', status: 'delivered', until: 5 },
      { what: 'upTo', status: 'read', until: 6 },
      { what: 'receipt', status: 'read', providerId: 'm1' },
    ]);
  });

  test('passes over echoes, what was withdrawn, and what nobody listens to', () => {
    const odd = read(
      { ...head, message: { mid: 'm1', is_echo: true } },
      { ...head, message: { mid: 'm1', is_deleted: true } },
      { ...head, reaction: {} },
      { ...head, delivery: {} },
      { ...head, read: {} },
      { message: { mid: 'm1', text: 'of nobody' } },
      head,
    );
    expect(odd.map((event) => event.what)).toEqual(odd.map(() => 'other'));
    expect(odd).toHaveLength(7);
  });
});

test.each(['m'.repeat(256), 'm\n', 'm\u0000', 'm\ud800'])(
  'what names a message or a person by what can be no id is passed over (%#)',
  (id) => {
    const told = [
      ...readMsgappHook(aboutMessages({ statuses: [{ id, status: 'sent' }] })),
      ...readMsgappHook(
        aboutMessages({ messages: [{ id: 'w1', from: id, type: 'text', text: { body: 'x' } }] }),
      ),
      ...readMsgappHook(
        aboutMessages({ messages: [{ id, from: '5511', type: 'text', text: { body: 'x' } }] }),
      ),
      ...readPageMessagingHook(pageHook('1', { sender: { id }, message: { mid: 'm1', text: 'x' } })),
      ...readPageMessagingHook(pageHook('1', { sender: { id: '1' }, message: { mid: id, text: 'x' } })),
      ...readPageMessagingHook(pageHook('1', { sender: { id: '1' }, read: { mid: id } })),
    ];
    expect(told.map(({ event }) => event.what)).toEqual(told.map(() => 'other'));
    expect(told).toHaveLength(6);
  },
);
