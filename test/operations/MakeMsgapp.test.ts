/** MakeMsgapp (spec 4.14) through the REST door, against a strict upstream over HTTP. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type GraphServer, graphError, graphToken, startGraphServer } from '../helpers/graphServer.ts';
import {
  demoAccount,
  demoToken,
  type RestAnswer,
  startTestService,
  type TestService,
} from '../helpers/service.ts';

const phone = '106540352242922';
const to = '5511987650000';

let upstream: GraphServer;
let on: TestService;
let line: number;
let said = 0;
/** All that the service logs. */
const logged: string[] = [];

const makeLine = async (body: object, account: number = demoAccount): Promise<number> =>
  (await on.admin('POST', `/accounts/${account}/lines`, body)).body.v8l_id;

const whole = {
  v8l_class: 'msgapp',
  v8l_wa_provider: 'cloud',
  v8l_wa_app_name: phone,
  v8l_wa_api_key: graphToken,
  v8l_wa_number: '15550783881',
};

beforeAll(async () => {
  upstream = await startGraphServer();
  on = await startTestService({ GRAPH_URL: upstream.url }, (text) => logged.push(text));
  line = await makeLine(whole);
});
afterAll(async () => {
  await on.stop();
  await upstream.stop();
});
afterEach(() => upstream.check());

/** A message that no other test sends. */
const send = (body: object = {}, headers: Record<string, string> = {}): Promise<RestAnswer> => {
  said += 1;
  return on.post('MakeMsgapp', { dest: to, app_id: line, mdata: `message ${said}`, ...body }, headers);
};

const logOf = async (answer: RestAnswer) => {
  const id = Number(answer.body.return.cdls_id);
  return (await on.database.prisma.message.findFirst({ where: { account_id: demoAccount, id } }))!;
};

const refused = (answer: RestAnswer) => [answer.http, answer.body.return.status_code];
const upstreamSaw = () =>
  upstream.seen.map(({ path, body: { biz_opaque_callback_data: _, ...body } }) => ({ path, body }));
const headed = { messaging_product: 'whatsapp', recipient_type: 'individual', to };

describe('what is sent', () => {
  test('text by default, with the line’s token, and logged as it was answered [4.14/dest] [4.14/app_id] [4.14/mtype] [4.14/mdata] [4.14/success]', async () => {
    const answer = await send({
      dest: '+55 (11) 98765-0000',
      mdata: 'Olá 😀',
      ctid: 'order-1',
      msg_id: 'a_5',
    });
    expect(answer.http).toBe(200);
    expect(answer.body).toEqual({
      return: { status: 'OK', status_code: '0', cdls_id: expect.stringMatching(/^\d+$/) },
    });
    expect(upstreamSaw()).toEqual([
      { path: `${phone}/messages`, body: { ...headed, type: 'text', text: { body: 'Olá 😀' } } },
    ]);
    const id = answer.body.return.cdls_id;
    expect(upstream.seen[0]!.body.biz_opaque_callback_data).toBe(`a.${demoAccount}.${id}`);
    expect(await logOf(answer)).toMatchObject({
      channel: 'msgapp',
      line_id: line,
      sender: '15550783881',
      destination: to,
      content_type: 'text',
      body: 'Olá 😀',
      correlation: 'order-1',
      related: 'a_5',
      state: 'acknowledged',
      outcome_code: '0',
      provider_id: expect.stringMatching(/^wamid\./),
      raw_answer: expect.stringContaining('wamid.'),
    });
  });

  test('ctid and msg_id are empty by default [4.14/ctid] [4.14/msg_id]', async () => {
    expect(await logOf(await send())).toMatchObject({ correlation: '', related: '' });
    expect(await logOf(await send({ ctid: 'c', msg_id: 'm' }))).toMatchObject({
      correlation: 'c',
      related: 'm',
    });
  });

  const link = 'https://files.example/a?b=1';
  test.each([
    ['image', 'image', { link, caption: 'cap' }],
    ['video', 'video', { link, caption: 'cap' }],
    ['file', 'document', { link, filename: 'cap' }],
    ['audio', 'audio', { link }],
    ['sticker', 'sticker', { link }],
  ])('%s as the upstream’s %s [4.14/mcaption]', async (mtype, type, content) => {
    const answer = await send({ mtype, mdata: link, mcaption: 'cap', app_id: undefined, v8l_id: line });
    expect(answer.body.return.status).toBe('OK');
    expect(upstreamSaw()).toEqual([
      { path: `${phone}/messages`, body: { ...headed, type, [type]: content } },
    ]);
  });

  const template = {
    name: 'order_update',
    language: { code: 'pt_BR' },
    components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }],
  };
  test.each(['template', 'wa_template'])(
    '%s from an object, or the text of one [4.14/template]',
    async (mtype) => {
      await send({ mtype, template, mdata: undefined, ctid: mtype, httpdup: 0 });
      await send({ mtype, template: JSON.stringify(template), mdata: undefined, httpdup: 0 });
      const body = { ...headed, type: 'template', template };
      expect(upstreamSaw().map((seen) => seen.body)).toEqual([body, body]);
    },
  );

  test('wabody is the whole message, to whom dest says', async () => {
    const wabody = { type: 'location', location: { latitude: -23.5, longitude: -46.6 }, to: '1' };
    await send({ mtype: 'wabody', mdata: JSON.stringify(wabody) });
    expect(upstreamSaw()[0]!.body).toEqual({ ...wabody, ...headed });
  });
});

describe('what is refused before anything is sent', () => {
  test.each([
    ['no dest', { dest: undefined }, '230'],
    ['five digits', { dest: '12345' }, '230'],
    ['letters', { dest: 'somebody' }, '230'],
    ['no line', { app_id: undefined }, '236'],
    ['a line that is no number', { app_id: 'x' }, '236'],
    ['a line of nobody', { app_id: 99_999_999_999 }, '236'],
    ['an unknown mtype', { mtype: 'location' }, '299'],
    ['no text', { mdata: '' }, '299'],
    ['a text of blanks', { mdata: ' \n' }, '299'],
    ['a file that is no address', { mtype: 'image', mdata: 'ftp://x/y.png' }, '299'],
    ['a wabody that is no object', { mtype: 'wabody', mdata: '[1]' }, '299'],
    ['a template that is missing', { mtype: 'template' }, '299'],
    ['a template that is no object', { mtype: 'wa_template', template: '{"name":' }, '299'],
    [
      'a template nested too deeply',
      { mtype: 'template', template: `${'{"a":'.repeat(40)}1${'}'.repeat(40)}` },
      '299',
    ],
    ['a template with what no database takes', { mtype: 'template', template: { name: 'a\0' } }, '299'],
    ['a window of no length', { httpdup: -1 }, '299'],
    ['a window too long', { httpdup: 601 }, '299'],
    ['misHSM that is neither', { misHSM: 'perhaps' }, '299'],
  ])('%s [7/msgapp/230] [7/msgapp/236] [8/dest length]', async (_, body, code) => {
    const answer = await send(body);
    expect(refused(answer)).toEqual([400, code]);
    expect(answer.body.return.cdls_id).toBe('0');
    expect(upstream.seen).toEqual([]);
  });

  test.each([
    ['provider', { v8l_wa_provider: '' }, '231'],
    ['app name', { v8l_wa_app_name: '' }, '232'],
    ['API key', { v8l_wa_api_key: '' }, '233'],
    ['number', { v8l_wa_number: '' }, '235'],
    ['being active', { active: 0 }, '236'],
    ['the right class', { v8l_class: 'pagechat' }, '236'],
  ])(
    'a line that lacks its %s [7/msgapp/231] [7/msgapp/232] [7/msgapp/233] [7/msgapp/235]',
    async (_, change, code) => {
      const app_id = await makeLine({ ...whole, ...change });
      expect(refused(await send({ app_id }))).toEqual([400, code]);
    },
  );

  test('a template nested beyond what can be written', async () => {
    const template = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const asked = `"tsid":"${demoToken}","app_id":${line},"dest":"${to}","mtype":"template"`;
    const json = { 'content-type': 'application/json', 'idempotency-key': 'deep' };
    expect(refused(await on.post('MakeMsgapp', `{${asked},"template":${template}}`, json))).toEqual([
      400,
      '299',
    ]);
  });

  test('a line of another account', async () => {
    const account = (await on.admin('POST', '/accounts', { name: 'Other' })).body.cdcs_id;
    const app_id = await makeLine(whole, account);
    expect(refused(await send({ app_id }))).toEqual([400, '236']);
  });

  test('the same message within the window; not another one, and not with 0 [4.14/httpdup] [7/msgapp/250] [8/httpdup]', async () => {
    expect((await send({ mdata: 'twice' })).body.return.status).toBe('OK');
    expect((await send({ mdata: 'twice' })).body.return).toEqual({
      ...{ status: 'duplicate within the httpdup window', status_code: '250', cdls_id: '0' },
    });
    expect((await send({ mdata: 'twice', httpdup: 0 })).body.return.status).toBe('OK');
    expect((await send({ mdata: 'twice', dest: '5511987650001' })).body.return.status).toBe('OK');
    expect(upstream.seen).toHaveLength(3);
  });

  test('not one that the upstream refused: it may be sent again', async () => {
    upstream.next(graphError(500, 131000, 'no'));
    expect(refused(await send({ mdata: 'again' }))).toEqual([400, '131000']);
    await expect.poll(async () => (await send({ mdata: 'again' })).body.return.status).toBe('OK');
  });
});

describe('what the upstream does', () => {
  const details = { error_data: { messaging_product: 'whatsapp', details: 'Something broke' } };
  test.each([
    [
      graphError(500, 131000, '(#131000) Something went wrong'),
      '131000',
      '(#131000) Something went wrong',
      '131000',
    ],
    [graphError(400, 131026, 'Undeliverable', details), '131026', 'Something broke', '131026'],
    [
      graphError(401, 190, `Error validating access token ${graphToken}`),
      '260',
      'Error validating access token … (HTTP 401)',
      '190',
    ],
    [graphError(400, 100, '(#100) Invalid parameter'), '260', '(#100) Invalid parameter (HTTP 400)', '100'],
    // Their codes, and ours for a message that was taken, or is slow.
    [graphError(401, 0, 'Not authenticated'), '260', 'Not authenticated (HTTP 401)', '0'],
    [graphError(500, 1, 'An unknown error'), '260', 'An unknown error (HTTP 500)', '1'],
    [
      { status: 502, html: '<html>Bad gateway</html>' } as const,
      '260',
      'the upstream answered HTTP 502',
      'HTTP 502',
    ],
    [
      { status: 302, json: {}, headers: { location: 'http://127.0.0.1:1/' } },
      '260',
      'the upstream answered HTTP 302',
      'HTTP 302',
    ],
  ])('says no: %j [7/msgapp/260] [7/msgapp/261+]', async (reaction, code, status, logged) => {
    upstream.next(reaction);
    const answer = await send();
    expect(answer.http).toBe(400);
    expect(answer.body.return).toEqual({
      status,
      status_code: code,
      cdls_id: expect.stringMatching(/^[1-9]\d+$/),
    });
    const log = await logOf(answer);
    expect(log).toMatchObject({ state: 'failed', outcome_code: logged, outcome_text: status });
    expect(JSON.stringify([answer.body, log.raw_answer])).not.toContain(graphToken);
    expect(upstream.seen).toHaveLength(1);
    const machine = await on.admin('GET', `/machines/${answer.body.return.cdls_id}/explain?language=en`);
    expect(JSON.stringify(machine.body)).toContain('msgapp');
    const { sentences } = machine.body as { sentences: string[] };
    expect(sentences.filter((sentence) => sentence.includes(to))).toHaveLength(1);
  });

  test.each([
    ['is cut before the answer', { cut: 'unanswered' } as const],
    ['is cut in the answer', { cut: 'halfway' } as const],
    ['answers 200 with HTML', { status: 200, html: '<html></html>' } as const],
  ])('%s: nobody knows, and it is not sent again', async (_, reaction) => {
    upstream.next(reaction);
    const answer = await send();
    expect(refused(answer)).toEqual([400, '260']);
    expect(answer.body.return.warning).toBe('outcome unknown, do not send again');
    expect(answer.body.return.cdls_id).toMatch(/^[1-9]\d+$/);
    expect(await logOf(answer)).toMatchObject({ state: 'unknown', outcome_code: 'unknown', refunded: false });
    expect(upstream.seen).toHaveLength(1);
  });

  test('a refusal whose words are OK has another status', async () => {
    upstream.next(graphError(400, 131000, 'OK'));
    const answer = await send();
    expect([answer.http, answer.body.return.status_code]).toEqual([400, '131000']);
    expect(answer.body.return.status).toBe('the upstream refused the message (the provider says "OK")');
  });

  test('asks for a short pause: it is sent again, once', async () => {
    upstream.next(graphError(429, 130429, 'Rate limit hit', {}, { 'retry-after': '1' }));
    expect((await send()).body.return.status).toBe('OK');
    expect(upstream.seen).toHaveLength(2);
  });

  test('asks for a long pause: that is a no', async () => {
    upstream.next(graphError(429, 130429, 'Rate limit hit', {}, { 'retry-after': '60' }));
    const answer = await send();
    expect(answer.body.return).toMatchObject({ status: 'Rate limit hit', status_code: '130429' });
    expect(upstream.seen).toHaveLength(1);
  });

  test('is slow: WR, and the log is completed later [4.14/WR] [3.2/WR]', async () => {
    upstream.next({ status: 200, json: { messages: [{ id: 'wamid.late' }] }, afterMs: 4_600 });
    const answer = await send();
    expect([answer.http, answer.body.return]).toEqual([
      200,
      { status: 'WR', status_code: '1', cdls_id: expect.stringMatching(/^\d+$/) },
    ]);
    await expect
      .poll(() => logOf(answer))
      .toMatchObject({ state: 'acknowledged', outcome_code: '0', provider_id: 'wamid.late' });
  });
});

describe('what it costs', () => {
  const balance = async () => Number((await on.admin('GET', `/accounts/${demoAccount}`)).body.balance);

  test('price_1, price_2 for what opens a session, nothing for what is refused, 220 when it is not covered [4.14/misHSM] [4.14/billing] [7/msgapp/220]', async () => {
    await on.admin('PATCH', `/accounts/${demoAccount}`, { price_1: '0.05', price_2: '0.2', balance: '1' });
    await send();
    expect(await balance()).toBe(0.95);
    await send({ misHSM: 'true' });
    expect(await balance()).toBe(0.75);
    await send({ misHSM: false, mtype: 'template', template: { name: 't', language: { code: 'pt_BR' } } });
    expect(await balance()).toBe(0.55);
    upstream.next(graphError(500, 131000, 'no'));
    expect(await logOf(await send())).toMatchObject({ price: 500n, refunded: true });
    expect(await balance()).toBe(0.55);
    await on.admin('PATCH', `/accounts/${demoAccount}`, { balance: '0.1' });
    const answer = await send({ misHSM: true });
    expect(refused(answer)).toEqual([400, '220']);
    expect(answer.body.return.status).toContain('balance');
    await on.admin('PATCH', `/accounts/${demoAccount}`, { price_1: '0', price_2: '0' });
  });
});

describe('a template as wabody', () => {
  const template = { name: 't', language: { code: 'pt_BR' } };
  test.each([
    ['as it should be', { type: 'template', template }, 2_000n],
    ['which is none', { type: 'text', text: { body: 'template' } }, 500n],
  ])('%s costs what it is [4.14/billing]', async (_, body, price) => {
    await on.admin('PATCH', `/accounts/${demoAccount}`, { price_1: '0.05', price_2: '0.2', balance: '1' });
    const answer = await send({ mtype: 'wabody', mdata: JSON.stringify(body), httpdup: 0 });
    expect(await logOf(answer)).toMatchObject({ price });
    await on.admin('PATCH', `/accounts/${demoAccount}`, { price_1: '0', price_2: '0' });
  });
});

describe('Idempotency-Key', () => {
  test('the order of keys in a template makes no other request, that of its lists does', async () => {
    const body = {
      type: 'body',
      parameters: [
        { type: 'text', text: 'Ana' },
        { text: 'Rio', type: 'text' },
      ],
    };
    const one = { name: 't', language: { code: 'pt_BR' }, components: [body] };
    const parameters = [{ text: 'Ana', type: 'text' }, body.parameters[1]!];
    const same = { components: [{ parameters, type: 'body' }], language: { code: 'pt_BR' }, name: 't' };
    const other = { ...one, components: [{ ...body, parameters: body.parameters.toReversed() }] };
    const key = { 'idempotency-key': 'ordered' };
    const ask = (template: unknown) => send({ mtype: 'template', mdata: undefined, template }, key);
    const first = await ask(one);
    expect((await ask(same)).body).toEqual(first.body);
    expect((await ask(JSON.stringify(same))).body).toEqual(first.body);
    expect(refused(await ask(other))).toEqual([409, '409']);
    expect(upstream.seen).toHaveLength(1);
    const again = { mtype: 'template', mdata: undefined, template: JSON.stringify(same) };
    expect(refused(await send(again))).toEqual([400, '250']);
  });

  test('the same key is one message, whatever became of it', async () => {
    upstream.next(graphError(500, 131000, 'no'));
    const [first, again] = [
      await send({ mdata: 'once' }, { 'idempotency-key': 'k1' }),
      await send({ mdata: 'once' }, { 'idempotency-key': 'k1' }),
    ];
    expect(again.body).toEqual(first.body);
    expect([first, again].map(({ headers }) => headers.get('Idempotency-Replayed'))).toEqual([null, 'true']);
    expect(upstream.seen).toHaveLength(1);
  });

  test('many at once are one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send({ mdata: 'raced' }, { 'idempotency-key': 'k2' })),
    );
    expect(new Set(answers.map(({ body }) => body.return.cdls_id)).size).toBe(1);
    expect(upstream.seen).toHaveLength(1);
  });

  test('other parameters under it are refused', async () => {
    expect(refused(await send({ mdata: 'different' }, { 'idempotency-key': 'k2' }))).toEqual([409, '409']);
  });
});

describe('when the upstream is gone', () => {
  test('that is 260, with a log entry, and costs nothing', async () => {
    await on.admin('PATCH', `/accounts/${demoAccount}`, { price_1: '0.05', balance: '1' });
    await upstream.stop();
    const answer = await send();
    expect(refused(answer)).toEqual([400, '260']);
    expect(answer.body.return.status).toContain('cannot be reached');
    expect(await logOf(answer)).toMatchObject({
      state: 'failed',
      outcome_code: 'unavailable',
      refunded: true,
    });
    expect((await on.admin('GET', `/accounts/${demoAccount}`)).body.balance).toBe(1);
  });
});

test('nothing of all this has brought the token into the service’s own log', () => {
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.join('')).not.toContain(graphToken);
});
