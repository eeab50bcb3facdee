/** Who comes in at the tool door, and what is a message there (spec 4.1, 5; docs/decisions/0016). */
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { callTool, listTools, postTool, rpc } from './bed.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ PUBLIC_URL: 'https://ramal.example', TRUSTED_PROXIES: '127.0.0.2/32' });
});
afterAll(() => on.stop());

const aToken = async (given: object): Promise<string> =>
  (await on.admin('POST', `/accounts/${demoAccount}/tokens`, given)).body.token;
/** With permissions as they may be stored: the admin API took any JSON once. */
const aTokenOfBefore = async (permissions: object | null): Promise<string> => {
  const { token, token_id } = (await on.admin('POST', `/accounts/${demoAccount}/tokens`, {})).body;
  await on.database.pool.query('UPDATE tokens SET permissions = $1 WHERE id = $2', [permissions, token_id]);
  return token;
};
const all = { telephony: true, sms: true, msgapp: true, pagechat: true, photodm: true };

describe('a plain caller', () => {
  test('needs no handshake, no Accept and no certain content type [4.1/plain]', async () => {
    for (const headers of [{}, { 'Content-Type': 'text/plain' }, { Accept: 'text/html' }] as object[]) {
      const {
        http,
        headers: sent,
        body,
      } = await postTool(on, rpc('tools/list'), { headers: { ...headers } });
      expect([http, sent.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      expect(body).toMatchObject({
        jsonrpc: '2.0',
        id: expect.any(Number),
        result: { tools: expect.any(Array) },
      });
    }
  });

  test('gets the id back that it sent, 0 and text included', async () => {
    for (const id of [0, 7, 'seven'])
      expect((await postTool(on, { jsonrpc: '2.0', id, method: 'ping' })).body).toEqual({
        jsonrpc: '2.0',
        id,
        result: {},
      });
  });

  test('that sends no id gets 202 and no answer, and nothing is done', async () => {
    const before = await on.database.prisma.message.count();
    for (const method of ['notifications/initialized', 'tools/call'])
      expect(
        await postTool(on, {
          jsonrpc: '2.0',
          method,
          params: { name: 'send_sms', arguments: { dest: '11987650000', text: 'x' } },
        }),
      ).toMatchObject({ http: 202, body: undefined });
    expect(await on.database.prisma.message.count()).toBe(before);
  });
});

test('health is open to all [4.1/health]', async () => {
  const response = await fetch(`${on.url}/mcp/health`);
  expect([response.status, await response.json()]).toEqual([
    200,
    {
      ...{ status: 'ok', service: 'ramal', version: expect.any(String), uptime_s: expect.any(Number) },
      checks: expect.objectContaining({ database: { ok: true, detail: 'answers' } }),
    },
  ]);
});

describe('a token', () => {
  test.each([
    ['none', '', 100],
    ['malformed', 'short', 100],
    ['unknown', 'x'.repeat(30), 102],
  ])('that is %s is refused before anything is read [4.1/401] [5/tools]', async (_, token, code) => {
    const { http, headers, body } = await postTool(on, '{"no json', { token });
    expect([http, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(body).toEqual({ jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } });
  });

  test('counts in the Authorization header only [5/bearer]', async () => {
    const tsid = await aToken({ permissions: { apis: all } });
    expect(
      (await postTool(on, { ...rpc('tools/list'), tsid }, { token: '', query: `?tsid=${tsid}` })).http,
    ).toBe(401);
    expect(
      (await postTool(on, rpc('tools/list'), { token: '', headers: { authorization: `bearer ${tsid}` } }))
        .http,
    ).toBe(200);
    expect(
      (await postTool(on, rpc('tools/list'), { token: '', headers: { authorization: `Basic ${tsid}` } }))
        .http,
    ).toBe(401);
  });

  test('that is not for REST is for tools all the same', async () => {
    const token = await aToken({ rest: false, permissions: { apis: all } });
    expect(await listTools(on, { token })).toContain('send_sms');
  });

  test('that may come from elsewhere only, or whose account is inactive, is told so', async () => {
    const elsewhere = await aToken({ permissions: { apis: all }, allowed_ips: ['203.0.113.0/24'] });
    expect(await postTool(on, rpc('ping'), { token: elsewhere })).toMatchObject({
      http: 403,
      body: { error: { code: 142 } },
    });
    const account = (await on.admin('POST', '/accounts', { name: 'Asleep' })).body.cdcs_id;
    const asleep = (await on.admin('POST', `/accounts/${account}/tokens`, {})).body.token;
    await on.admin('PATCH', `/accounts/${account}`, { active: 0 });
    expect(await postTool(on, rpc('ping'), { token: asleep })).toMatchObject({
      http: 401,
      body: { error: { code: 110 } },
    });
  });

  test('that asks too often waits, and hears for how long [4.1/429]', async () => {
    const token = await aToken({ requests_per_second: 1, permissions: { apis: all } });
    const answers = await Promise.all(Array.from({ length: 12 }, () => postTool(on, rpc('ping'), { token })));
    const [done, refused] = [200, 429].map((http) => answers.find((answer) => answer.http === http)!);
    expect(done!.headers.get('ratelimit-limit')).toBe('2');
    expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused!.body.error).toEqual({ code: 429, message: expect.stringContaining('1 a second') });
  });

  test('that fails too often closes the door, to REST as well [4.1/131]', async () => {
    const from = { 'X-Forwarded-For': '203.0.113.9' };
    const ask = (token?: string) => viaProxy(rpc('ping'), from, token);
    for (let time = 0; time < 20; time += 1) await ask('w'.repeat(30));
    expect(await ask()).toMatchObject({ http: 401, body: { error: { code: 131 } } });
    expect((await viaProxy(rpc('ping'), { 'X-Forwarded-For': '203.0.113.10' })).http).toBe(200);
  });
});

describe('permissions', () => {
  test.each([
    ['are null', null],
    ['are empty', {}],
    ['are switched off', { enabled: false, apis: all }],
    ['are switched off with a number', { enabled: 0, apis: all }],
    ['are switched on with nothing', { enabled: null, apis: all }],
    ['are no booleans', { enabled: true, apis: { sms: 'yes', telephony: 1 } }],
  ])('that %s close every tool [4.1/permissions]', async (_, permissions) => {
    const token = await aTokenOfBefore(permissions);
    expect(await listTools(on, { token })).toEqual([]);
    expect(await callTool(on, 'send_sms', { dest: '11987650000', text: 'x' }, { token })).toMatchObject({
      ...{ success: false, status_code: 403, isError: true },
    });
  });

  test('decide which tools are listed, and a denied one says where to look [4.1/tools/list] [4.1/403]', async () => {
    const token = await aToken({ permissions: { enabled: true, apis: { sms: true } } });
    expect(await listTools(on, { token })).toEqual(['send_sms', 'get_message_status']);
    const answer = await postTool(on, rpc('tools/call', { name: 'get_call_status' }), { token });
    expect(answer.http).toBe(200);
    const { content, structuredContent, isError, ...outcome } = answer.body.result;
    expect(outcome).toEqual({
      ...{ success: false, status_code: 403, error: expect.stringContaining('cdpsid_mcp_apis') },
    });
    expect([structuredContent, JSON.parse(content[0].text), isError]).toEqual([outcome, outcome, true]);
  });

  test('are narrowed by the address, and never widened [4.1/read_only] [4.1/toolsets]', async () => {
    const readers = await listTools(on, { query: '?read_only=true' });
    expect(readers).toEqual(expect.arrayContaining(['get_call_status', 'explain_call', 'get_msgapp_lines']));
    expect(readers.filter((name) => /^(send|make|create|clone|change)_/.test(name))).toEqual([]);
    expect(await listTools(on, { query: '?toolsets=sms,photodm' })).toEqual([
      ...['send_sms', 'send_photodm', 'get_message_status', 'get_photodm_lines'],
    ]);
    expect(await listTools(on, { query: '?toolsets=sms&read_only=1' })).toEqual(['get_message_status']);
    const sms = await aToken({ permissions: { apis: { sms: true } } });
    for (const query of ['?toolsets=telephony', '?toolsets=msgapp'])
      expect(await listTools(on, { token: sms, query })).toEqual([]);
    const before = await on.database.prisma.message.count();
    for (const query of ['?read_only=true', '?toolsets=telephony'])
      expect(await callTool(on, 'send_sms', { dest: '11987650000', text: 'x' }, { query })).toMatchObject({
        ...{ success: false, status_code: 403, isError: true },
      });
    expect(await on.database.prisma.message.count()).toBe(before);
  });

  test.each([
    ...['?read_only=ture', '?toolsets=sms,fax'],
    ...['?readonly=true', '?READ_ONLY=true', '?read-only=1', '?readOnly', '?toolset=sms', '?toolsets[]=sms'],
  ])('that are mistyped in the address, %s, are refused', async (query) => {
    expect(await postTool(on, rpc('tools/list'), { query })).toMatchObject({
      http: 400,
      body: { error: { code: -32_600 } },
    });
  });
});

describe('what is no message', () => {
  test.each([
    ['no JSON', '{"jsonrpc": "2.0", "id": 1', -32_700, null],
    ['empty', '', -32_700, null],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32_600, null],
    ['an empty batch', '[]', -32_600, null],
    ['a word', '"ping"', -32_600, null],
    ['null', 'null', -32_600, null],
    ['another protocol', '{"jsonrpc":"1.0","id":4,"method":"ping"}', -32_600, 4],
    ['no method', '{"jsonrpc":"2.0","id":4}', -32_600, 4],
    ['a method that is a number', '{"jsonrpc":"2.0","id":"a","method":4}', -32_600, 'a'],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600, null],
    ['an id that is a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32_600, null],
    ['params that are a list', '{"jsonrpc":"2.0","id":4,"method":"ping","params":[1]}', -32_600, 4],
    ['an answer', '{"jsonrpc":"2.0","id":4,"result":{}}', -32_600, 4],
    [
      'deep',
      `{"jsonrpc":"2.0","id":4,"method":"ping","params":{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}}`,
      -32_600,
      null,
    ],
    ['deep and broken', '['.repeat(500_000), -32_600, null],
  ])('%s is answered with an error and HTTP 400 [4.1/malformed]', async (_, body, code, id) => {
    expect(await postTool(on, body)).toMatchObject({
      http: 400,
      body: { jsonrpc: '2.0', id, error: { code } },
    });
  });

  test('too large or compressed a body has its HTTP status', async () => {
    const large = { ...rpc('ping'), params: { pad: 'x'.repeat(2_000_000) } };
    expect(await postTool(on, large)).toMatchObject({ http: 413, body: { error: { code: -32_600 } } });
    const packed = await fetch(`${on.url}/mcp`, {
      method: 'POST',
      headers: { authorization: 'Bearer DEMO0token0DEMO0token0DEMO0tok', 'Content-Encoding': 'gzip' },
      body: gzipSync('{}'),
    });
    expect(packed.status).toBe(415);
  });

  test.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('%s is not served', async (method) => {
    const response = await fetch(`${on.url}/mcp`, { method, headers: { authorization: 'Bearer x' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('a cursor that is null is none', async () => {
    const { body } = await postTool(on, rpc('tools/list', { cursor: null }));
    expect(body.result.tools.length).toBeGreaterThan(0);
  });

  test.each([
    ['an unknown method', rpc('resources/list'), -32_601],
    ['the name of something that every object has', rpc('constructor'), -32_601],
    ['an unknown tool', rpc('tools/call', { name: '__proto__' }), -32_602],
    ['no name', rpc('tools/call', {}), -32_602],
    ['a name that is a number', rpc('tools/call', { name: 4 }), -32_602],
    [
      'arguments that are a list',
      rpc('tools/call', { name: 'send_sms', arguments: ['11987650000'] }),
      -32_602,
    ],
    ['a cursor', rpc('tools/list', { cursor: 'x' }), -32_602],
    ['a revision that is a number', rpc('initialize', { protocolVersion: 4 }), -32_602],
  ])('%s is an error of the method, with HTTP 200', async (_, body, code) => {
    expect(await postTool(on, body)).toMatchObject({
      http: 200,
      body: { error: { code, message: expect.any(String) } },
    });
  });

  test('keys of prototypes are arguments like any other', async () => {
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_call_status","arguments":{"__proto__":{"cd_id":"a_1"},"constructor":1}}}';
    expect((await postTool(on, body)).body.result).toMatchObject({ success: false, status_code: 299 });
    expect(Object.prototype).not.toHaveProperty('cd_id');
  });
});

describe('pages of other origins', () => {
  const own = () => new URL(on.url).host;
  const answered = async (headers: Record<string, string>) =>
    (await viaProxy(rpc('ping'), headers, undefined, '127.0.0.1')).http;

  test('are refused, those of this service are not', async () => {
    for (const [origin, http] of [
      [`http://${own()}`, 200],
      ['https://ramal.example', 200],
      ['https://evil.example', 403],
      ['http://ramal.example', 403],
      ['http://localhost:1', 403],
      ['null', 403],
      ['nonsense', 403],
    ] as const)
      expect([origin, await answered({ Origin: origin })]).toEqual([origin, http]);
  });

  test('reach nothing by a name that they had pointed at the loopback address', async () => {
    for (const [host, http] of [
      ['localhost:8080', 200],
      ['127.0.0.1', 200],
      ['[::1]:8080', 200],
      ['ramal.example', 200],
      ['evil.example', 403],
      ['localhost.evil.example:8080', 403],
      ['127.0.0.1.evil.example', 403],
    ] as const)
      expect([host, await answered({ Host: host })]).toEqual([host, http]);
    expect(await answered({ Host: 'evil.example', Origin: 'http://evil.example' })).toBe(403);
  });

  test('are the business of a proxy that the operator trusts', async () => {
    expect((await viaProxy(rpc('ping'), { Host: 'other.example' })).http).toBe(200);
  });
});

/** Asks with headers that `fetch` does not let through, from the address of a trusted proxy unless told. */
const viaProxy = (
  body: object,
  headers: Record<string, string>,
  token = 'DEMO0token0DEMO0token0DEMO0tok',
  localAddress = '127.0.0.2',
): Promise<{ http: number; body: unknown }> =>
  new Promise((resolve, reject) => {
    const asked = request(
      `${on.url}/mcp`,
      { method: 'POST', localAddress, headers: { authorization: `Bearer ${token}`, ...headers } },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({ http: response.statusCode!, body: JSON.parse(Buffer.concat(parts).toString()) }),
        );
      },
    );
    asked.once('error', reject);
    asked.end(JSON.stringify(body));
  });

test('uses stand in the audit log under the name of the tool, and what was denied as such', async () => {
  const label = 'audited';
  const token = await aToken({ label, permissions: { apis: { telephony: true } } });
  await callTool(on, 'get_tts_voices', {}, { token });
  await callTool(on, 'send_sms', {}, { token });
  await postTool(on, rpc('ping'), { token });
  const { entries } = (await on.admin('GET', '/audit?kind=token&limit=100')).body;
  const told = entries
    .filter(({ actor }: { actor: string }) => actor.endsWith(label))
    .map(({ action, outcome, cdcs_id }: Record<string, unknown>) => [action, outcome, cdcs_id]);
  expect(told).toHaveLength(3);
  expect(told).toEqual(
    expect.arrayContaining([
      ['get_tts_voices', 200, demoAccount],
      ['send_sms', 403, demoAccount],
      ['mcp', 200, demoAccount],
    ]),
  );
});

test('calls are counted by tool and outcome, requests by HTTP status', async () => {
  await callTool(on, 'get_tts_voices');
  await callTool(on, 'send_sms', { dest: '1', text: 'x' });
  const page = await (await fetch(`${on.url}/metrics`)).text();
  expect(page).toMatch(/ramal_tool_seconds_count\{tool="get_tts_voices",outcome="done"\} \d+/);
  expect(page).toMatch(/ramal_tool_seconds_count\{tool="send_sms",outcome="refused"\} \d+/);
  expect(page).toMatch(/ramal_tool_seconds_count\{tool="send_sms",outcome="denied"\} \d+/);
  expect(page).toMatch(/ramal_request_seconds_count\{operation="mcp",status="401"\} \d+/);
});
