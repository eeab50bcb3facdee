/** The built-in upstream, as customers of the embedded default meet it: by operations, receipts, and its own pages. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatSenderLine } from '../../../src/providers/contracts/chat.ts';
import { openSandboxGraphApi } from '../../../src/providers/chat/sandbox/fakeGraphApiRouter.ts';
import { demoAccount, type RestAnswer, startTestService, type TestService } from '../../helpers/service.ts';

let on: TestService;
/** Lines of the demo account by class. */
let demo: Record<string, number>;

const token = 'sandbox-line-token-0001';
const place = { v8l_wa_app_name: '2001', v8l_wa_number: '5511911112222', v8l_wa_business_id: '2002' };
const own = {
  v8l_class: 'msgapp',
  v8l_wa_provider: 'cloud',
  v8l_wa_api_key: token,
  app_secret: 'shh',
  sandbox: true,
  ...place,
};
let line: number;

const linesOf = async () => (await on.admin('GET', `/accounts/${demoAccount}/lines`)).body.lines;

beforeAll(async () => {
  on = await startTestService();
  demo = Object.fromEntries(
    (await linesOf()).map((one: Record<string, unknown>) => [one['v8l_class'], one['v8l_id']]),
  );
  line = (await on.admin('POST', `/accounts/${demoAccount}/lines`, own)).body.v8l_id;
});
afterAll(() => on.stop());

const logOf = async ({ body }: RestAnswer) =>
  (await on.database.prisma.message.findFirst({
    where: { account_id: demoAccount, id: Number(body.return.cdls_id) },
  }))!;

/** Asks the upstream as people do. */
const ask = async (
  path: string,
  { body, method, key = token }: { body?: string; method?: string; key?: string } = {},
): Promise<Pick<RestAnswer, 'http' | 'body'>> => {
  const response = await fetch(`${on.url}/sandbox/graph/v22.0/${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(body !== undefined && { body }),
    headers: { authorization: `Bearer ${key}` },
  });
  return { http: response.status, body: await response.json() };
};

describe('messages of the demo account', () => {
  test.each([
    ['MakeMsgapp', 'msgapp', ['sent', 'delivered', 'read']],
    ['MakePageChat', 'pagechat', ['delivered', 'read']],
    ['MakePhotoDm', 'photodm', ['read']],
  ])('%s is taken, and its receipts come', async (operation, lineClass) => {
    const app_id = demo[lineClass];
    const answer = await on.post(operation, { app_id, dest: '5511987650000', mdata: 'Olá' });
    expect(answer.http).toBe(200);
    await expect.poll(async () => (await logOf(answer)).state).toBe('read');
    if (lineClass !== 'photodm')
      await expect.poll(async () => (await logOf(answer)).delivered_at).not.toBeNull();
  });

  test('what it takes and what it refuses is marked as a sandbox’s', async () => {
    const app_id = demo['msgapp'];
    for (const dest of ['5511987650001', '5511987650009']) {
      const answer = await on.post('MakeMsgapp', { app_id, dest, mdata: 'Olá, quem é?' });
      expect([answer.headers.get('ramal-sandbox'), await logOf(answer)]).toMatchObject([
        'true',
        { sandbox: true },
      ]);
    }
  });

  test('a line with credentials of its own is none of the sandbox, and nobody pretends to read its messages', async () => {
    const place = { ...own, sandbox: undefined, v8l_wa_app_name: '3001', v8l_wa_business_id: '3002' };
    const made = (await on.admin('POST', `/accounts/${demoAccount}/lines`, place)).body;
    expect(made).toMatchObject({ sandbox: false });
    const answer = await on.post('MakeMsgapp', { app_id: made.v8l_id, dest: '5511987650001', mdata: 'Oi' });
    expect([answer.http, answer.body.return.status_code, answer.headers.get('ramal-sandbox')]).toEqual([
      ...[400, '260', null],
    ]);
    expect(answer.body.return.status).toContain('GRAPH_URL is not set');
    expect(await logOf(answer)).toMatchObject({ state: 'failed', sandbox: false });
  });

  test('09 is refused, 05 is outside the window, 06 fails later', async () => {
    const send = (dest: string) => on.post('MakeMsgapp', { app_id: demo['msgapp'], dest, mdata: 'Olá' });
    expect((await send('5511987650009')).body.return).toMatchObject({ status_code: '131000' });
    expect((await send('5511987650005')).body.return).toMatchObject({ status_code: '131047' });
    const failed = await send('5511987650006');
    await expect.poll(() => logOf(failed)).toMatchObject({ state: 'failed', outcome_code: '131026' });
    const outside = await on.post('MakePageChat', { app_id: demo['pagechat'], dest: '9005', mdata: 'Olá' });
    expect([outside.http, (await logOf(outside)).outcome_code]).toEqual([400, '10']);
  });

  test('11 answers, which opens the conversation', async () => {
    const send = () => on.post('MakePageChat', { app_id: demo['pagechat'], dest: '9011', mdata: 'Olá' });
    expect((await send()).body.return.warning).toContain('24 hours');
    await expect.poll(async () => (await send()).body.return.warning).toBeUndefined();
  });
});

describe('templates', () => {
  const template = (name: string, more: object = {}) => ({
    name,
    language: 'pt_BR',
    category: 'UTILITY',
    components: [
      { type: 'BODY', text: 'Oi {{1}}, tudo certo.', example: { body_text: [['Ana']] } },
      { type: 'FOOTER', text: 'Ramal' },
    ],
    ...more,
  });
  const submit = (body: object) => ask('2002/message_templates', { body: JSON.stringify(body) });
  const statusOf = async (id: string) => (await ask(id)).body.status;

  test('are reviewed, sent when approved, and deleted', async () => {
    const { http, body } = await submit(template('order_update'));
    expect([http, body.status]).toEqual([200, 'PENDING']);
    expect((await submit(template('order_update'))).body.error.error_subcode).toBe(2_388_024);
    await expect.poll(() => statusOf(body.id)).toBe('APPROVED');
    const send = (parameters: object[]) =>
      on.post('MakeMsgapp', {
        ...{ app_id: line, dest: '5511987650000', mtype: 'template', httpdup: 0 },
        template: {
          name: 'order_update',
          language: { code: 'pt_BR' },
          components: [{ type: 'body', parameters }],
        },
      });
    expect((await send([{ type: 'text', text: 'Ana' }])).body.return.status).toBe('OK');
    expect((await send([])).body.return.status_code).toBe('132000');
    const listed = await ask('2002/message_templates?name=order');
    expect(listed.body.data).toMatchObject([{ id: body.id, name: 'order_update' }]);
    const query = `name=order_update&hsm_id=${body.id}`;
    const gone = await ask(`2002/message_templates?${query}`, { method: 'DELETE' });
    expect(gone.body).toEqual({ success: true });
    expect((await ask(body.id)).body.error).toMatchObject({ code: 100, error_subcode: 33 });
    expect((await send([{ type: 'text', text: 'Ana' }])).body.return.status_code).toBe('132001');
  });

  test('are rejected for their name', async () => {
    const { body } = await submit(template('please_reject'));
    await expect
      .poll(() => ask(body.id))
      .toMatchObject({
        body: { status: 'REJECTED', rejected_reason: 'INVALID_FORMAT' },
      });
  });

  test.each([
    ['a name in capitals', { name: 'Order' }],
    ['an unknown key', { extra: 1 }],
    ['no body', { components: [{ type: 'FOOTER', text: 'x' }] }],
    [
      'examples in a flat list',
      { components: [{ type: 'BODY', text: 'a {{1}} b', example: { body_text: ['x'] } }] },
    ],
    [
      'a variable at the end',
      { components: [{ type: 'BODY', text: 'a {{1}}', example: { body_text: [['x']] } }] },
    ],
  ])('are refused for %s', async (_, change) => {
    const { http, body } = await submit(template('fine_name', change));
    expect([http, body.error.code, body.error.message]).toEqual([400, 100, '(#100) Invalid parameter']);
    expect(body.error.error_user_msg).not.toBe('');
  });
});

test('a number can be validated with the token of its line, and with no other', async () => {
  const given = { wa_business_id: '2002', wa_phone_number_id: '2001', wa_number: '5511911112222' };
  const good = await on.post('ValidateMsgappNumber', { ...given, wa_api_key: token });
  expect(good.body.return.result).toMatchObject({ valid: true, phone_quality_rating: 'GREEN' });
  const codes = [];
  for (const wa_api_key of ['another-token-00001', 'an-expired-token-001'])
    codes.push((await on.post('ValidateMsgappNumber', { ...given, wa_api_key })).body.return.status_code);
  expect(codes).toEqual(['251', '251']);
});

test('what a message may not hold is refused as the real one does', async () => {
  const post = (message: object) =>
    ask('2001/messages', {
      body: JSON.stringify({ messaging_product: 'whatsapp', to: '5511987650000', ...message }),
    });
  const image = { link: 'https://files.example/a.png', url: 'x' };
  expect((await post({ type: 'image', image })).body.error.message).toBe(
    '(#100) Unexpected key "url" on param "image"',
  );
  expect((await post({ type: 'text' })).body.error.code).toBe(131_008);
  expect((await post({ type: 'text', text: { body: '' } })).body.error.code).toBe(131_009);
});

test('what it does not know, and who has no token, is refused', async () => {
  expect((await ask('999999')).body.error).toMatchObject({ code: 100, error_subcode: 33 });
  expect((await ask('2001', { key: 'wrong-token-0000' })).http).toBe(401);
  const init = { method: 'POST', body: 'x'.repeat(70_000), headers: { authorization: `Bearer ${token}` } };
  expect((await fetch(`${on.url}/sandbox/graph/v22.0/2001/messages`, init)).status).toBe(413);
});

describe('a restart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-graph-'));
  const logFile = join(folder, 'chat.log');
  afterAll(() => rmSync(folder, { recursive: true }));

  const chatLine: ChatSenderLine = {
    ...{ shard: 'a', account: 1, id: 7, class: 'msgapp', provider: 'cloud', active: true, hasApiKey: true },
    ...{
      appName: '2001',
      number: '1',
      businessId: '2002',
      pageId: '',
      photoAccountId: '',
      forwardUrl: '',
      sandbox: true,
    },
    ...{ openApiKey: () => token, openAppSecret: () => 'shh', openVerifyToken: () => '' },
  };
  /** `brought`: where hooks are noted; absent: nobody takes them. */
  const open = (brought?: string[]) =>
    openSandboxGraphApi({
      logFile,
      linesAt: () => Promise.resolve([chatLine]),
      line: () => Promise.resolve(chatLine),
      bring: ({ rawBody }) => {
        const { entry } = JSON.parse(rawBody.toString('utf8'));
        brought?.push(entry[0].changes[0].value.statuses[0].status);
        return Promise.resolve(brought ? 200 : 503);
      },
      clock: {
        now: Date.now,
        after: (ms, run) => {
          const timer = setTimeout(run, ms);
          return () => clearTimeout(timer);
        },
      },
      speed: 1000,
    });

  test('brings the hooks that nobody took, and no token is written down', async () => {
    const first = open();
    await first.start();
    const reply = await first.transport({
      ...{ method: 'POST', path: '/v22.0/2001/messages', query: {}, timeoutMs: 1000 },
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ messaging_product: 'whatsapp', to: '5511987650000', text: { body: 'x' } }),
      signal: AbortSignal.timeout(1000),
    });
    expect(reply.status).toBe(200);
    await first.stop();

    const brought: string[] = [];
    const second = open(brought);
    await second.start();
    await expect.poll(() => brought.toSorted()).toEqual(['delivered', 'read', 'sent']);
    const written = () => readFileSync(logFile, 'utf8');
    await expect.poll(() => written().match(/"told"/g)).toHaveLength(3);
    await second.stop();
    expect(written()).not.toContain(token);
  });
});
