import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  adminToken,
  demoAccount,
  demoToken,
  startTestService,
  type TestService,
} from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => on.stop());

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = { 'Content-Type': 'application/json' };

const aToken = async (given: object = {}, account = demoAccount) =>
  (await on.admin('POST', `/accounts/${account}/tokens`, given)).body;

const status = async (tsid: unknown, headers: Record<string, string> = {}): Promise<[number, string]> => {
  const { http, body } = await on.post('GetCallStatus', { tsid, maxreg: 1 }, headers);
  return [http, body.return.status_code];
};

describe('who may come in', () => {
  test('[5/100] a token that is missing or malformed', async () => {
    expect(await status('short')).toEqual([401, '100']);
    expect(await status('')).toEqual([401, '100']);
    expect(await status({ a: 1 })).toEqual([401, '100']);
    const { body } = await on.post('MakeTTSCall', { tsid: 'short' });
    expect(body).toEqual({ return: { status: expect.any(String), status_code: '100', cd_id: '0' } });
  });

  test('[5/102] a token that is unknown, revoked or expired', async () => {
    expect(await status('x'.repeat(30))).toEqual([401, '102']);
    const expired = await aToken({ expires: '2020-01-01T00:00:00Z' });
    expect(await status(expired.token)).toEqual([401, '102']);
    const revoked = await aToken();
    expect(await status(revoked.token)).toEqual([200, '0']);
    await on.admin('DELETE', `/accounts/${demoAccount}/tokens/${revoked.token_id}`);
    expect(await status(revoked.token)).toEqual([401, '102']);
  });

  test('[5/110] an inactive account', async () => {
    const { cdcs_id } = (await on.admin('POST', '/accounts', { name: 'Closed' })).body;
    const { token } = await aToken({}, cdcs_id);
    expect(await status(token)).toEqual([200, '0']);
    await on.admin('PATCH', `/accounts/${cdcs_id}`, { active: false });
    expect(await status(token)).toEqual([401, '110']);
  });

  test('[5/110] an account whose reseller, or one above that, is switched off', async () => {
    const account = async (name: string, reseller_id: number | null): Promise<number> =>
      (await on.admin('POST', '/accounts', { name, reseller_id })).body.cdcs_id;
    const above = await account('Above', null);
    const below = await account('Below', await account('Between', above));
    const { token } = await aToken({}, below);
    expect(await status(token)).toEqual([200, '0']);
    await on.admin('PATCH', `/accounts/${above}`, { active: false });
    expect(await status(token)).toEqual([401, '110']);
    await on.admin('PATCH', `/accounts/${above}`, { active: true });
    expect(await status(token)).toEqual([200, '0']);
  });

  test('[5/114] a token that is not for REST', async () => {
    expect(await status((await aToken({ rest: false })).token)).toEqual([401, '114']);
  });

  test('[5/123] only an explicit false denies a permission', async () => {
    expect(await status((await aToken({ permissions: { apis: { telephony: false } } })).token)).toEqual([
      403,
      '123',
    ]);
    expect(await status((await aToken({ permissions: { apis: { sms: true } } })).token)).toEqual([200, '0']);
    expect(await status((await aToken({ permissions: null })).token)).toEqual([200, '0']);
  });

  test('[5/142] the client’s address, behind a trusted proxy', async () => {
    const { token } = await aToken({ allowed_ips: ['203.0.113.0/24'] });
    expect(await status(token)).toEqual([403, '142']);
    expect(await status(token, { 'X-Forwarded-For': '203.0.113.9' })).toEqual([200, '0']);
    expect(await status(token, { 'X-Forwarded-For': '203.0.113.9, 198.51.100.1' })).toEqual([403, '142']);
  });

  test('[5/sources] tsid, sid or Bearer; the query string wins over the body', async () => {
    const http = async (body: object | string, headers: Record<string, string> = {}, query = '') =>
      (await on.post('GetCallStatus', body, headers).catch(() => ({ http: 0 }))).http &&
      (
        await fetch(`${on.url}/api/v2/GetCallStatus.php${query}`, {
          method: 'POST',
          headers: { ...json, ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        })
      ).status;
    expect(await http(`{"tsid":"${demoToken}"}`)).toBe(200);
    expect(await http(`{"sid":"${demoToken}"}`)).toBe(200);
    expect(await http('{}', { Authorization: `Bearer ${demoToken}` })).toBe(200);
    expect(await http('{"tsid":"wrong"}', {}, `?tsid=${demoToken}`)).toBe(200);
    expect(await http(`{"tsid":"${demoToken}"}`, {}, '?tsid=wrong')).toBe(401);
  });
});

describe('bodies', () => {
  const origin = async (sent: string | FormData, headers: Record<string, string> = {}) => {
    const response = await fetch(`${on.url}/api/v2/GetCallStatus.php`, {
      method: 'POST',
      headers,
      body: sent,
    });
    const body = (await response.json()) as { return: { status_code: string }; calls: unknown[] };
    return { http: response.status, body };
  };

  test('JSON, form and multipart mean the same, and so does JSON under a wrong name', async () => {
    const multipart = new FormData();
    multipart.set('tsid', demoToken);
    multipart.set('maxreg', '1');
    expect((await origin(JSON.stringify({ tsid: demoToken, maxreg: 1 }), json)).http).toBe(200);
    expect((await origin(`tsid=${demoToken}&maxreg=1`, form)).http).toBe(200);
    expect((await origin(multipart)).http).toBe(200);
    expect((await origin(JSON.stringify({ tsid: demoToken }), { 'Content-Type': 'text/odd' })).http).toBe(
      200,
    );
    expect((await origin(JSON.stringify({ tsid: demoToken }), form)).http).toBe(200);
    expect((await origin(`tsid=${demoToken}`, { 'Content-Type': 'text/odd' })).http).toBe(200);
  });

  test.each([
    ['{"tsid":', json],
    ['[1,2]', json],
    ['just words', { 'Content-Type': 'text/plain' }],
    ['tsid=x', json],
  ])('%s is neither', async (text, headers) => {
    const answer = await origin(text, headers);
    expect([answer.http, answer.body.return.status_code, answer.body.calls]).toEqual([400, '100', []]);
  });

  test('multipart fields are bytes, as forms are', async () => {
    const boundary = 'xxBOUNDARYxx';
    const part = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const file = `--${boundary}\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nignored\r\n`;
    const text =
      part('tsid', demoToken) +
      part('dest', '11987650000') +
      part('text', 'Ol\u00e1 multi') +
      file +
      `--${boundary}--\r\n`;
    const response = await fetch(`${on.url}/api/v2/MakeTTSCall.php`, {
      method: 'POST',
      headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
      body: Buffer.from(text, 'latin1'),
    });
    const { cd_id } = ((await response.json()) as { return: { cd_id: string } }).return;
    expect((await on.inputOf(cd_id)).prompts.opening).toMatchObject([{ text: 'Olá multi' }]);
  });

  test('ten megabytes of text are a clean refusal, in every form', async () => {
    const big = 'a'.repeat(10_000_000);
    const multipart = new FormData();
    multipart.set('text', big);
    for (const [body, headers] of [
      [JSON.stringify({ text: big }), json],
      [`text=${big}`, form],
      [multipart, {}],
    ] as const) {
      const answer = await origin(body, headers);
      expect([answer.http, answer.body.return.status_code]).toEqual([413, '413']);
    }
  });

  test('random bytes never break the door', async () => {
    for (let i = 0; i < 50; i += 1) {
      const response = await fetch(`${on.url}/api/v2/MakeTTSCall.php`, {
        method: 'POST',
        headers: i % 2 ? json : form,
        body: randomBytes(400),
      });
      expect(response.status).toBeLessThan(500);
      expect(await response.json()).toMatchObject({ return: { cd_id: '0' } });
    }
  });

  test('a compressed body is not taken', async () => {
    expect((await origin('x', { 'Content-Encoding': 'gzip' })).http).toBe(415);
  });
});

describe('addresses', () => {
  test('an unknown endpoint and a wrong method answer in the envelope', async () => {
    const unknown = await fetch(`${on.url}/api/v2/Nothing.php`, { method: 'POST' });
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { return: { status: 'unknown endpoint', status_code: '404' } },
    ]);
    const wrong = await fetch(`${on.url}/api/v2/MakeTTSCall.php`);
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await wrong.json()).toMatchObject({ return: { status_code: '405', cd_id: '0' } });
  });

  test.each([
    ['MakeTTSCall', 'MakeTTSCall'],
    ['MakeTTSCall/', 'MakeTTSCall'],
    ['makesms.php', 'MakeSMS'],
    ['GetCampaignList.php', 'GetCampaignsList'],
  ])('%s is no endpoint, and the answer says which one is', async (asked, meant) => {
    const unknown = await fetch(`${on.url}/api/v2/${asked}`, { method: 'POST' });
    const status = `unknown endpoint: the path is /api/v2/${meant}.php`;
    expect([unknown.status, await unknown.json()]).toEqual([404, { return: { status, status_code: '404' } }]);
  });

  test.each(['/mcp/health', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs'])(
    '%s answers',
    async (path) => {
      expect((await fetch(on.url + path)).status).toBe(200);
    },
  );

  test('metrics are open to who is near, and to an administrator from anywhere', async () => {
    const far = { 'X-Forwarded-For': '203.0.113.77' };
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${on.url}/metrics`, { headers })).status;
    expect(await ask({ 'X-Forwarded-For': '10.1.2.3' })).toBe(200);
    expect(await ask(far)).toBe(401);
    expect(await ask({ ...far, Authorization: 'Bearer wrong' })).toBe(401);
    expect(await ask({ ...far, Authorization: `Bearer ${adminToken}` })).toBe(200);
    const { key } = (await on.admin('POST', '/operators', { name: 'Metrics', role: 'operator' })).body;
    expect(await ask({ ...far, Authorization: `Bearer ${key}` })).toBe(200);
  });

  test('health names the service and its checks', async () => {
    const health = async (): Promise<unknown> => (await fetch(`${on.url}/mcp/health`)).json();
    // A check of a busy machine may be late once.
    await expect.poll(health).toMatchObject({
      status: 'ok',
      service: 'ramal',
      version: expect.any(String),
      uptime_s: expect.any(Number),
      checks: { database: { ok: true }, carrier: { ok: true } },
    });
  });

  test('the description carries types, bounds, defaults and aliases', async () => {
    const { paths } = (await (await fetch(`${on.url}/openapi.json`)).json()) as {
      // oxlint-disable-next-line typescript/no-explicit-any -- compared with literals, key by key
      paths: Record<string, any>;
    };
    const schema = paths['/api/v2/MakeTTSCall.php'].post.requestBody.content['application/json'].schema;
    expect(schema.properties.httpdup).toMatchObject({ type: 'integer', default: 10 });
    expect(schema.properties.text11).toMatchObject({ type: 'string', maxLength: 5000 });
    expect(
      paths['/api/v2/GetCallStatus.php'].post.requestBody.content['application/json'].schema.properties,
    ).toHaveProperty('dini');
  });

  test('a connection that the server ends in the middle is 503, whoever asked over it', async () => {
    const { pool } = on.database;
    const { body } = await on.admin('POST', `/accounts/${demoAccount}/tokens`, {});
    const holder = await pool.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE tokens');
      const asked = on.post('GetTTSVoices', { tsid: body.token });
      const waiting = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(async () => (await pool.query(waiting)).rowCount).toBeGreaterThan(0);
      const { http, headers, body: answered } = await asked;
      expect([http, headers.get('retry-after')]).toEqual([503, '2']);
      expect(answered.return.status_code).toBe('503');
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
  });

  test('a bug is an incident, and nothing internal is told', async () => {
    const { http, body } = await on.without('calls', () => on.post('GetCallStatus', { maxreg: 1 }));
    expect(http).toBe(500);
    expect(body.return.status).toMatch(/^internal error, incident [0-9a-f]{12}$/);
    expect(body.calls).toEqual([]);
  });
});

test.each<[string, string, object, string]>([
  ['POST', '/api/v1/MakeSMS.php', {}, 'unknown endpoint: the path is /api/v2/MakeSMS.php'],
  ['POST', '/nothing', {}, 'unknown endpoint'],
  ['GET', '/nothing', { accept: 'application/json' }, 'unknown endpoint'],
])('%s %s is answered in the envelope', async (method, path, headers, status) => {
  const answer = await fetch(on.url + path, { method, headers: { ...headers } });
  expect([answer.status, await answer.json()]).toEqual([404, { return: { status, status_code: '404' } }]);
});

test('a page that a browser does not find stays plain text', async () => {
  const answer = await fetch(`${on.url}/nothing`, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect([answer.status, await answer.text()]).toEqual([404, 'Not Found']);
});
