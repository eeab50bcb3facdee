import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type HookBed, startHookBed } from './bed.ts';
import { aboutMessages, msgappHook, pageHook, phone } from './bodies.ts';
import type { GraphRoute } from '../helpers/graphServer.ts';
import { demoAccount } from '../helpers/service.ts';
import { until } from '../helpers/patience.ts';

const page = '201100000000001';
const photo = '17841400000000001';
const from = '551187650000';

/** An id that no number holds. */
const templateId = '594425479261596123';
const templatesTaken: GraphRoute = {
  method: 'POST',
  path: /^102290129340398\/message_templates$/,
  body: z.looseObject({ name: z.string() }),
  answer: () => ({ status: 200, json: { id: templateId, status: 'PENDING', category: 'UTILITY' } }),
};

let bed: HookBed;
let line: number;
beforeAll(async () => {
  bed = await startHookBed([templatesTaken]);
  line = await bed.line({
    v8l_class: 'msgapp',
    v8l_wa_app_name: phone,
    v8l_wa_business_id: '102290129340398',
    forward_url: `${bed.receiver.url}/in?key=hush`,
  });
});
afterAll(() => bed.stop());
beforeEach(() => {
  bed.receiver.reset();
});
afterEach(() => bed.upstream.check());

let last = 0;
const aMessage = (more: object = {}) => ({
  id: `wamid.in${(last += 1)}`,
  from,
  timestamp: '1795188600',
  type: 'text',
  text: { body: 'Olá, tudo bem?' },
  ...more,
});
const hookOf = (...messages: object[]) =>
  aboutMessages({ contacts: [{ profile: { name: 'Ana' }, wa_id: from }], messages });
const tell = (...messages: object[]) => bed.hook('msgapp', line, hookOf(...messages));

/** What the customer heard, once so much has come and nothing more is owed. */
const heard = async (count: number) => {
  await until(() => bed.receiver.heard.length >= count);
  await until(async () => (await deliveries()).every(({ finished }) => finished));
  return bed.receiver.heard.map(({ headers, body }) => ({ headers, body: JSON.parse(body) }));
};
const deliveries = async () => {
  const { rows } = await bed.database.pool.query<{
    id: string;
    state: string;
    finished: boolean;
    subject: string;
    target: string;
    last_error: string;
  }>(`SELECT id, state, finished, subject, target, last_error FROM deliveries ORDER BY id`);
  return rows;
};
const inbound = async (upstreamId: string) =>
  (await bed.database.pool.query('SELECT * FROM inbound_messages WHERE upstream_id = $1', [upstreamId])).rows;

describe('a message from a person', () => {
  test('is kept, opens the conversation, and is brought to the address of its line', async () => {
    const message = aMessage();
    expect((await tell(message)).http).toBe(200);
    expect(await inbound(message.id)).toEqual([
      {
        ...{ account_id: demoAccount, line_id: line, upstream_id: message.id, contact: from },
        ...{ contact_name: 'Ana', content_type: 'text', body: 'Olá, tudo bem?' },
        received_at: expect.any(Number),
        sent_at: expect.any(Number),
        payload: JSON.stringify(message),
      },
    ]);
    const [call] = await heard(1);
    const eventId = call!.headers['webhook-id'];
    expect(eventId).toMatch(/^evt_[\w-]{27}$/);
    expect(call!.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(Number(call!.headers['webhook-timestamp']) * 1000).toBeGreaterThan(Date.now() - 60_000);
    expect(call!.body).toEqual({
      event: 'message.received',
      event_id: eventId,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      channel: 'msgapp',
      v8l_id: line,
      from,
      name: 'Ana',
      message_id: message.id,
      related_id: '',
      mtype: 'text',
      text: 'Olá, tudo bem?',
      mdata: 'Olá, tudo bem?',
    });
  });

  test('is brought once, however often the hook comes, to however many at a time', async () => {
    const message = aMessage();
    const hook = hookOf(message, message);
    const answers = await Promise.all(Array.from({ length: 8 }, () => bed.hook('msgapp', line, hook)));
    expect(answers.map(({ http }) => http)).toEqual(Array.from({ length: 8 }, () => 200));
    await tell(message);
    expect(await heard(1)).toHaveLength(1);
    expect(await inbound(message.id)).toHaveLength(1);
  });

  test('is brought although whoever kept it died before it could', async () => {
    const message = aMessage();
    await bed.database.pool.query(
      `INSERT INTO inbound_messages (account_id, line_id, upstream_id, received_at, sent_at, contact, content_type)
        VALUES ($1, $2, $3, $4, 0, $5, 'text')`,
      [demoAccount, line, message.id, Date.now(), from],
    );
    await tell(message);
    expect((await heard(1))[0]!.body).toMatchObject({ message_id: message.id });
  });

  test('of long ago is not brought again, though nothing claims it any more', async () => {
    const message = aMessage();
    await tell(message);
    await heard(1);
    await bed.database.pool.query("DELETE FROM claims WHERE key LIKE 'inbound:%'");
    await bed.database.pool.query(
      'UPDATE inbound_messages SET received_at = received_at - 11 * 86400000 WHERE upstream_id = $1',
      [message.id],
    );
    await tell(message);
    expect(await heard(1)).toHaveLength(1);
  });

  test('goes to the account’s address where the line has none, and nowhere where neither has', async () => {
    const plain = await bed.line({ v8l_class: 'msgapp' });
    const nowhere = aMessage();
    const before = (await deliveries()).length;
    expect((await bed.hook('msgapp', plain, hookOf(nowhere))).http).toBe(200);
    expect([await deliveries(), await inbound(nowhere.id)].map(({ length }) => length)).toEqual([before, 1]);
    await bed.on.admin('PATCH', `/accounts/${demoAccount}`, { callback_url: `${bed.receiver.url}/in` });
    const message = aMessage();
    await bed.hook('msgapp', plain, hookOf(message));
    expect((await heard(1))[0]!.body).toMatchObject({ message_id: message.id, v8l_id: plain });
    await bed.on.admin('PATCH', `/accounts/${demoAccount}`, { callback_url: '' });
  });

  test('about another number of the same app is its line’s', async () => {
    const number = '106540352249999';
    const sibling = await bed.line({ v8l_class: 'msgapp', v8l_wa_app_name: number });
    const value = (phone_number_id: string) => ({
      metadata: { phone_number_id },
      messages: [aMessage({ id: `wamid.for.${phone_number_id}` })],
    });
    const hook = msgappHook(
      { field: 'messages', value: value(number) },
      { field: 'messages', value: value('106540352240000') },
    );
    expect((await bed.hook('msgapp', line, hook)).http).toBe(200);
    expect(await inbound(`wamid.for.${number}`)).toMatchObject([{ line_id: sibling }]);
    expect(await inbound('wamid.for.106540352240000')).toEqual([]);
  });

  test('with a file, a choice, an answer says so in the interface’s own words', async () => {
    const file = { id: '3054', mime_type: 'application/pdf', filename: 'a.pdf', caption: 'here' };
    const cards = [{ name: { formatted_name: 'Bia Lima' }, phones: [{ phone: '+55 11 98765-0001' }] }];
    const messages = [
      aMessage({ type: 'document', document: file, context: { id: 'wamid.before' } }),
      aMessage({ type: 'interactive', interactive: { button_reply: { id: 'yes', title: 'Sim' } } }),
      aMessage({ type: 'location', location: { latitude: -23.5, longitude: -46.6 } }),
      aMessage({ type: 'contacts', contacts: cards }),
    ];
    await tell(...messages);
    const calls = await heard(4);
    const bodies = messages.map(({ id }) => calls.find(({ body }) => body.message_id === id)!.body);
    expect(bodies).toMatchObject([
      {
        mtype: 'file',
        text: 'here',
        mdata: '3054',
        mime_type: 'application/pdf',
        file_name: 'a.pdf',
        related_id: 'wamid.before',
      },
      { mtype: 'button', text: 'Sim', mdata: 'yes' },
      { mtype: 'location', text: '', mdata: '{"latitude":-23.5,"longitude":-46.6}' },
      { mtype: 'contacts', text: 'Bia Lima', mdata: JSON.stringify(cards) },
    ]);
  });
});

describe('a receiver', () => {
  test('that says no for good makes a dead letter, which an operator sends again under the same id', async () => {
    bed.receiver.answer = (_, response) => response.writeHead(410).end();
    await tell(aMessage());
    const dead = await until(async () => (await deliveries()).find(({ state }) => state === 'deadLetter'));
    expect(dead).toMatchObject({
      target: `${bed.receiver.url}/…`,
      last_error: expect.stringContaining('gone'),
    });
    const listed = (await bed.on.admin('GET', `/accounts/${demoAccount}/deliveries`)).body.deliveries[0];
    expect(listed).toMatchObject({
      purpose: 'callback',
      state: 'deadLetter',
      target: `${bed.receiver.url}/…`,
    });
    bed.receiver.answer = (_, response) => response.writeHead(204).end();
    const answer = await bed.on.admin('POST', `/accounts/${demoAccount}/deliveries/replay`);
    expect(answer.body).toMatchObject({ replayed: 1, more: false });
    const calls = await heard(2);
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await deliveries()).map(({ state }) => state)).not.toContain('deadLetter');
  });
});

describe('conversations', () => {
  test('open for replies to a page, from the person’s own moment on and never earlier than was known', async () => {
    const pageLine = await bed.line({ v8l_class: 'pagechat', v8l_fb_page_id: page });
    const [person, sentAt] = ['7015550100', Date.now() - 1_000];
    const reply = () =>
      bed.on.post('MakePageChat', { dest: person, app_id: pageLine, mdata: `r${(last += 1)}` });
    expect((await reply()).body.return.warning).toBeDefined();
    const said = (mid: string, timestamp: number) =>
      bed.hook(
        'pagechat',
        pageLine,
        pageHook(page, {
          sender: { id: person },
          recipient: { id: page },
          timestamp,
          message: { mid, text: 'hi' },
        }),
      );
    await said('m_in2', sentAt);
    await said('m_in3', Date.now() + 90_000_000);
    await said('m_in1', sentAt - 90_000_000);
    const { rows } = await bed.database.pool.query<{ heard_at: number }>(
      'SELECT heard_at FROM conversations WHERE line_id = $1',
      [pageLine],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.heard_at).toBeGreaterThanOrEqual(sentAt);
    expect(rows[0]!.heard_at).toBeLessThan(Date.now() + 5_000);
    expect((await reply()).body.return.warning).toBeUndefined();
  });

  test('of PhotoDm likewise', async () => {
    const photoLine = await bed.line({ v8l_class: 'photodm', v8l_ig_account_id: photo });
    const item = { sender: { id: '99001' }, timestamp: Date.now(), message: { mid: 'm_photo', text: 'hi' } };
    const hook = { object: 'instagram', entry: [{ id: photo, messaging: [item] }] };
    expect((await bed.hook('photodm', photoLine, hook)).http).toBe(200);
    const { rows } = await bed.database.pool.query('SELECT contact FROM conversations WHERE line_id = $1', [
      photoLine,
    ]);
    expect(rows).toEqual([{ contact: '99001' }]);
  });

  test('open under both forms of a Brazilian mobile, whichever the upstream names', async () => {
    const { rows } = await bed.database.pool.query<{ contact: string }>(
      'SELECT contact FROM conversations WHERE line_id = $1 ORDER BY contact',
      [line],
    );
    expect(rows.map(({ contact }) => contact)).toEqual([from, '5511987650000']);
  });
});

describe('what the upstream says of a template', () => {
  const told = (event: string, reason: string | null, id = templateId) =>
    `{"entry":[{"id":"102290129340398","time":${Math.floor(Date.now() / 1000)},"changes":[{
      "field":"message_template_status_update","value":{"event":"${event}","message_template_id":${id},
      "message_template_name":"order_ready","reason":${JSON.stringify(reason)}}}]}]}`;
  const status = async (template: number) =>
    (await bed.on.admin('GET', `/accounts/${demoAccount}/templates/${template}`)).body;

  test('moves it, found by an id that is a number beyond all numbers', async () => {
    const written = { v8l_id: line, cwt_name: 'order_ready', cwt_category: 'UTILITY', cwt_language: 'pt_BR' };
    const made = await bed.on.admin('POST', `/accounts/${demoAccount}/templates`, {
      ...written,
      cwt_body_text: 'Your order is ready',
    });
    const template: number = made.body.cwt_id;
    const submitted = { template_id: template, app_id: line, action: 'create' };
    expect((await bed.on.post('CreateMsgappTemplate', submitted)).http).toBe(201);
    expect(await status(template)).toMatchObject({ cwt_status: 'PENDING', cwt_template_id: templateId });
    for (const raw of [told('APPROVED', 'NONE'), told('APPROVED', 'NONE')])
      expect((await bed.hook('msgapp', line, raw)).http).toBe(200);
    expect(await status(template)).toMatchObject({ cwt_status: 'APPROVED' });
    await bed.hook('msgapp', line, told('REJECTED', 'SCAM'));
    expect(await status(template)).toMatchObject({ cwt_status: 'REJECTED', cwt_rejection_reason: 'SCAM' });
  });

  test('of its category and quality stands beside what was asked for', async () => {
    const about = { message_template_id: templateId, message_template_name: 'order_ready' };
    const notices = msgappHook(
      { field: 'template_category_update', value: { ...about, new_category: 'MARKETING' } },
      { field: 'message_template_quality_update', value: { ...about, new_quality_score: 'YELLOW' } },
    );
    expect((await bed.hook('msgapp', line, notices)).http).toBe(200);
    const { body } = await bed.on.admin('GET', `/accounts/${demoAccount}/templates`);
    const template = body.templates.find(
      ({ cwt_template_id }: { cwt_template_id: string }) => cwt_template_id === templateId,
    );
    expect(template).toMatchObject({
      ...{ cwt_category: 'UTILITY', upstream_category: 'MARKETING', quality: 'YELLOW' },
    });
  });

  test('that is not of the account is acknowledged', async () => {
    expect((await bed.hook('msgapp', line, told('APPROVED', null, '594425479261596124'))).http).toBe(200);
  });
});

describe('what the upstream says of a number', () => {
  const notice = (time: number, value: object) => {
    const changes = [{ field: 'phone_number_quality_update', value }];
    return { object: 'whatsapp_business_account', entry: [{ id: '102290129340398', time, changes }] };
  };
  const seen = async (account: number, id: number) =>
    (await bed.on.admin('GET', `/accounts/${account}/lines/${id}`)).body;
  const about = { display_phone_number: '+1 555 012-0199' };

  test('stands with the account’s lines of that number, the newest word, and with no other line', async () => {
    const number = { v8l_class: 'msgapp', v8l_wa_number: '15550120199' };
    const own = await bed.line(number);
    const account: number = (await bed.on.admin('POST', '/accounts', { name: 'Other' })).body.cdcs_id;
    const others = await bed.line(number, account);
    const now = Math.floor(Date.now() / 1000);
    const newest = { ...about, event: 'FLAGGED', current_limit: 'TIER_1K' };
    const older = { ...about, event: 'UPGRADE', current_limit: 'TIER_10K' };
    for (const one of [notice(now - 5, newest), notice(now - 9, older), notice(now - 5, newest)])
      expect((await bed.hook('msgapp', line, one)).http).toBe(200);
    const at = (now - 5) * 1000;
    expect(await seen(demoAccount, own)).toMatchObject({
      ...{ quality: 'FLAGGED', quality_at: at, messaging_limit: 'TIER_1K', messaging_limit_at: at },
    });
    const nothing = { quality: '', quality_at: null, messaging_limit: '' };
    expect(await seen(account, others)).toMatchObject(nothing);
    expect(await seen(demoAccount, line)).toMatchObject(nothing);
  });
});

describe('an operator', () => {
  test('reads what came in by a line, the newest first, page by page, and of one person', async () => {
    const read = async (query: string) =>
      (await bed.on.admin('GET', `/accounts/${demoAccount}/lines/${line}/incoming${query}`)).body;
    const all: { message_id: string; received_at: number }[] = (await read('')).messages;
    expect(all.length).toBeGreaterThan(5);
    expect(all).toEqual(all.toSorted((one, other) => other.received_at - one.received_at));
    const first = await read('?limit=4');
    const rest = await read(`?cursor=${encodeURIComponent(first.cursor)}`);
    expect([...first.messages, ...rest.messages]).toEqual(all);
    expect(rest.cursor).toBeNull();
    expect((await read(`?from=${from}`)).messages).toHaveLength(all.length);
    expect((await read('?from=nobody')).messages).toEqual([]);
    expect(await read('?cursor=nonsense')).toMatchObject({ field: 'cursor' });
    const other = await bed.on.admin('GET', `/accounts/2/lines/${line}/incoming`);
    expect(other.body).toEqual({ messages: [], cursor: null });
  });
});

describe('a database that is away', () => {
  test('makes hooks answer 503, and nothing is lost or doubled when they come again', async () => {
    const message = aMessage();
    await bed.wire.cut();
    const refused = await Promise.all([tell(message), tell(message)]);
    expect(refused.map(({ http }) => http)).toEqual([503, 503]);
    expect(refused.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);
    const asked = await fetch(`${bed.on.url}/hooks/msgapp/987654?hub.mode=subscribe`);
    expect(asked.status).toBe(503);
    await bed.wire.mend();
    await until(async () => (await tell(message)).http === 200);
    await tell(message);
    const calls = await heard(1);
    expect(calls.filter(({ body }) => body.message_id === message.id)).toHaveLength(1);
    expect(await inbound(message.id)).toHaveLength(1);
  });
});
