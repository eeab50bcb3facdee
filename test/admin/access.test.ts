import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminRoute, adminRoutes } from '../helpers/adminRoutes.ts';
import { adminToken, demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => on.stop());

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
const anOperator = async (role = 'operator', name = 'Ana') =>
  (await on.admin('POST', '/operators', { name, role })).body as { operator_id: number; key: string };

let addresses = 0;
/** An address that nobody has used yet. */
const someone = (): Record<string, string> => ({ 'X-Forwarded-For': `198.51.100.${++addresses}` });

/** Opens a session; answers the header that a browser would send from then on. */
const aSession = async (token: string, headers: Record<string, string> = {}) => {
  const answer = await on.admin('POST', '/sessions', { token }, headers);
  const set = answer.headers.get('set-cookie') ?? '';
  return { ...answer, set, cookie: { cookie: set.split(';')[0]! } };
};
const own = { 'Sec-Fetch-Site': 'same-origin' };

test('the address of the banner leads a browser and a program to what there is, without a key', async () => {
  const page = await fetch(`${on.url}/admin/api`, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('<code>GET /accounts</code>');
  const told = await fetch(`${on.url}/admin/api`);
  expect(await told.json()).toMatchObject({
    reference: '/docs',
    authorization: expect.stringContaining('Bearer'),
    routes: expect.arrayContaining(['DELETE /lockouts/:address']),
  });
});

describe('operators', () => {
  test('a key is shown once, kept as a digest, and opens the door under its name until it is revoked', async () => {
    const made = await on.admin('POST', '/operators', { name: 'Ana', role: 'operator' });
    expect([made.http, made.body]).toEqual([
      201,
      expect.objectContaining({ operator_id: expect.any(Number), name: 'Ana', role: 'operator' }),
    ]);
    const { operator_id: id, key } = made.body;
    expect(key).toMatch(/^[A-Za-z0-9]{40}$/);
    expect((await on.admin('GET', '/accounts', undefined, bearer(key))).http).toBe(200);
    expect((await on.admin('GET', '/sessions/current', undefined, bearer(key))).body).toEqual({
      role: 'operator',
      name: 'Ana',
      operator_id: id,
      masked_numbers: false,
      expires: null,
    });
    const listed = (await on.admin('GET', '/operators')).body;
    expect(listed.operators.at(-1)).toMatchObject({ operator_id: id, name: 'Ana', revoked_at: null });
    expect(listed.operators.at(-1).last_used_at).toBeGreaterThan(Date.now() - 60_000);
    const { rows } = await on.database.pool.query('SELECT * FROM operators');
    expect(JSON.stringify([listed, rows])).not.toContain(key);
    expect(JSON.stringify(rows)).toContain(createHash('sha256').update(key).digest('hex'));

    const revoked = await on.admin('DELETE', `/operators/${id}`);
    expect([revoked.http, revoked.body.revoked_at]).toEqual([200, expect.any(Number)]);
    expect((await on.admin('GET', '/accounts', undefined, { ...bearer(key), ...someone() })).http).toBe(401);
    expect((await on.admin('PATCH', `/operators/${id}`, { name: 'Eva' })).http).toBe(409);
  });

  test('a role that is changed counts from the next request, in open sessions too', async () => {
    const { operator_id: id, key } = await anOperator();
    const { cookie } = await aSession(key);
    const make = (headers: Record<string, string>) =>
      on.admin('POST', `/accounts/${demoAccount}/groups`, { name: 'g' }, headers);
    expect([(await make(bearer(key))).http, (await make({ ...cookie, ...own })).http]).toEqual([403, 403]);
    expect((await on.admin('PATCH', `/operators/${id}`, { role: 'admin' })).body.role).toBe('admin');
    expect([(await make(bearer(key))).http, (await make({ ...cookie, ...own })).http]).toEqual([201, 201]);
  });

  test('what is wrong is named', async () => {
    for (const [body, field] of [
      [{ role: 'admin' }, 'name'],
      [{ name: ' ', role: 'admin' }, 'name'],
      [{ name: 'x\ny', role: 'admin' }, 'name'],
      [{ name: 'x', role: 'root' }, 'role'],
      [{ name: 'x', role: 'admin', key: 'mine' }, 'key'],
    ] as const)
      expect(await on.admin('POST', '/operators', body)).toMatchObject({ http: 400, body: { field } });
    for (const id of ['999999', '9999999999', 'x'])
      expect((await on.admin('DELETE', `/operators/${id}`)).http).toBe(404);
  });
});

describe('roles', () => {
  const routes = adminRoutes();
  /** A request that names the demo account, and nothing else that there is. */
  const ask = (route: AdminRoute, headers?: Record<string, string>) => {
    const path = route.path.replace(':account', String(demoAccount)).replaceAll(/:\w+/g, '987654321');
    return on.admin(route.method, path, route.method === 'GET' ? undefined : {}, headers);
  };
  const walk = (headers?: Record<string, string>) =>
    Promise.all(routes.map(async (route) => ({ route, ...(await ask(route, headers)) })));

  test('every route is closed to who shows nothing, but for the one that opens a session', async () => {
    const open = (await walk({})).filter(({ http }) => http !== 401).map(({ route: { key } }) => key);
    expect(open).toEqual(['POST /sessions']);
  });

  test('an operator is kept from exactly what is declared for role admin', async () => {
    const { key } = await anOperator();
    expect(routes.length).toBeGreaterThan(100);
    for (const { route, http, body } of await walk(bearer(key))) {
      const refused = [403, 'role operator may not do this: it needs role admin'];
      if (route.declared.role === 'admin')
        expect([route.key, http, body.error]).toEqual([route.key, ...refused]);
      else expect([route.key, [200, 201, 400, 404, 409].includes(http)]).toEqual([route.key, true]);
    }
  });

  test('an admin is kept from nothing', async () => {
    for (const { route, http } of await walk())
      expect([route.key, [200, 201, 202, 204, 400, 404, 405, 409, 415].includes(http)]).toEqual([
        route.key,
        true,
      ]);
  });

  test('an operator changes nothing but what is tried again, and reads everything but sessions of others', () => {
    const isChange = ({ method }: AdminRoute): boolean => method !== 'GET';
    const keys = (of: AdminRoute[]) => of.map(({ key }) => key).toSorted();
    expect(keys(routes.filter((one) => isChange(one) && one.declared.role !== 'admin'))).toEqual([
      'DELETE /sessions/current',
      'POST /accounts/:account/campaigns/:campaign/forecast',
      'POST /accounts/:account/deliveries/replay',
      'POST /campaigns/:campaign/forecast',
      'POST /machines/:id/effects/:effect/cancel',
      'POST /machines/:id/effects/:effect/retry',
      'POST /machines/:id/events',
      'POST /sessions',
      'POST /sign-in-codes',
    ]);
    expect(keys(routes.filter((one) => !isChange(one) && one.declared.role !== 'operator'))).toEqual([
      'GET /sessions',
    ]);
  });

  test('an operator sees no secrets, and an admin does', async () => {
    const account = `/accounts/${demoAccount}`;
    const headers = { 'X-Api-Key': 'hush-hush' };
    const agent = { kind: 'websocket', target: 'wss://ai.example.com/', headers };
    const { ccba_id: id } = (await on.admin('POST', `${account}/agents`, agent)).body;
    const { key } = await anOperator();
    const seen = async (headers?: Record<string, string>) =>
      JSON.stringify([
        (await on.admin('GET', account, undefined, headers)).body,
        (await on.admin('GET', '/accounts', undefined, headers)).body,
        (await on.admin('GET', `${account}/agents/${id}`, undefined, headers)).body,
        (await on.admin('GET', `/machines/a_${id}`, undefined, headers)).body,
      ]);
    expect(await seen()).toMatch(/whsec_.*hush-hush.*hush-hush/);
    const byOperator = await seen(bearer(key));
    expect(byOperator).not.toMatch(/whsec_|hush-hush/);
    expect(byOperator).toContain('"webhook_secret":"[secret]"');
  });
});

describe('sessions', () => {
  test('open with the admin token or a key, behind a cookie that scripts and other sites do not get', async () => {
    const { http, body, set, cookie } = await aSession(adminToken);
    expect([http, body]).toEqual([
      201,
      {
        ...{ role: 'admin', name: 'admin', operator_id: null, masked_numbers: false },
        expires: expect.any(Number),
      },
    ]);
    expect(set).toMatch(
      /^ramal_session=[\w.-]{43,}; Path=\/admin; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(body.expires - Date.now()).toBeGreaterThan(11.9 * 3_600_000);
    expect((await on.admin('GET', '/sessions/current', undefined, cookie)).body).toEqual(body);
    const { rows } = await on.database.pool.query<{ hash: string }>('SELECT * FROM admin_sessions');
    const value = cookie.cookie.slice('ramal_session='.length);
    expect(rows.at(-1)!.hash).toBe(createHash('sha256').update(value).digest('hex'));
    expect(JSON.stringify(rows)).not.toContain(value.split('.')[0]);

    const { key } = await anOperator('operator', 'Bia');
    const operators = await aSession(key);
    expect(operators.body).toMatchObject({ role: 'operator', name: 'Bia' });
    expect((await on.admin('GET', '/accounts', undefined, operators.cookie)).http).toBe(200);
  });

  test('of strangers little is read', async () => {
    const { http, body } = await on.admin('POST', '/sessions', { token: 'x'.repeat(20_000) }, someone());
    expect([http, body]).toEqual([413, { error: 'the body is larger than 8 kB' }]);
  });

  test('the cookie is for https only where the request came by https', async () => {
    expect((await aSession(adminToken, { 'X-Forwarded-Proto': 'https' })).set).toMatch(/; Secure$/);
  });

  test('a change needs to come from our own pages', async () => {
    const { cookie } = await aSession(adminToken);
    const change = async (headers: Record<string, string>) =>
      (await on.admin('POST', `/accounts/${demoAccount}/groups`, { name: 'g' }, { ...cookie, ...headers }))
        .http;
    const host = new URL(on.url).host;
    for (const headers of [
      {},
      { 'Sec-Fetch-Site': 'cross-site', Origin: on.url },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `http://evil.example/${host}` },
    ])
      expect([headers, await change(headers as Record<string, string>)]).toEqual([headers, 403]);
    for (const headers of [own, { Origin: on.url }, { Origin: 'http://localhost:8080' }])
      expect([headers, await change(headers as Record<string, string>)]).toEqual([headers, 201]);
    expect(
      (await on.admin('GET', '/accounts', undefined, { ...cookie, Origin: 'https://evil.example' })).http,
    ).toBe(200);
    expect((await aSession(adminToken, { Origin: 'https://evil.example' })).http).toBe(403);
  });

  test('ends when it is left, when another ends it, when its operator is revoked, and by itself', async () => {
    const works = async (headers: Record<string, string>) =>
      (await on.admin('GET', '/accounts', undefined, headers)).http === 200;
    const left = await aSession(adminToken);
    const out = await on.admin('DELETE', '/sessions/current', undefined, { ...left.cookie, ...own });
    expect([out.http, out.headers.get('set-cookie')]).toEqual([
      204,
      expect.stringMatching(/^ramal_session=; .*Max-Age=0;/),
    ]);
    expect(await works(left.cookie)).toBe(false);

    const { operator_id: id, key } = await anOperator();
    const [one, other] = [await aSession(key), await aSession(key)];
    const { sessions } = (await on.admin('GET', '/sessions', undefined)).body;
    const ofOperator = sessions.filter((session: { operator_id: number }) => session.operator_id === id);
    expect(ofOperator).toHaveLength(2);
    expect((await on.admin('DELETE', `/sessions/${ofOperator[0].session_id}`)).http).toBe(204);
    expect((await on.admin('DELETE', `/sessions/${ofOperator[0].session_id}`)).http).toBe(404);
    expect([await works(one.cookie), await works(other.cookie)].filter(Boolean)).toHaveLength(1);
    await on.admin('DELETE', `/operators/${id}`);
    expect([await works(one.cookie), await works(other.cookie)]).toEqual([false, false]);

    const late = await aSession(adminToken);
    await on.database.pool.query('UPDATE admin_sessions SET expires_at = $1', [Date.now() - 1]);
    expect(await works(late.cookie)).toBe(false);
  });

  test('lives on while it is used, a week at most', async () => {
    const hour = 3_600_000;
    const { cookie } = await aSession(adminToken);
    const used = async (openedHoursAgo: number, hoursLeft: number) => {
      const [opened, expires] = [Date.now() - openedHoursAgo * hour, Date.now() + hoursLeft * hour];
      await on.database.pool.query('UPDATE admin_sessions SET created_at = $1, expires_at = $2', [
        opened,
        expires,
      ]);
      const { headers } = await on.admin('GET', '/accounts', undefined, cookie);
      const { body } = await on.admin('GET', '/sessions/current', undefined, cookie);
      return {
        hours: Math.round((body.expires - Date.now()) / hour),
        set: headers.get('set-cookie') !== null,
      };
    };
    expect(await used(1, 11.95)).toEqual({ hours: 12, set: false });
    expect(await used(5, 7)).toEqual({ hours: 12, set: true });
    expect(await used(7 * 24 - 3, 1)).toEqual({ hours: 3, set: true });
  });

  test('the twentieth wrong key keeps an address out, right keys included, and sessions go on', async () => {
    const from = someone();
    const { cookie } = await aSession(adminToken, from);
    const open = async (token: string) => (await aSession(token, from)).http;
    for (let time = 0; time < 20; time += 1) expect(await open('guess')).toBe(401);
    expect([await open('guess'), await open(adminToken)]).toEqual([429, 429]);
    const { key } = await anOperator();
    expect((await on.admin('GET', '/accounts', undefined, { ...bearer(key), ...from })).http).toBe(429);
    expect((await on.admin('GET', '/accounts', undefined, { ...cookie, ...from })).http).toBe(200);
  });
});

describe('tokens', () => {
  const account = `/accounts/${demoAccount}`;
  const status = async (tsid: string) =>
    (await on.post('GetCallStatus', { tsid, maxreg: 1 })).body.return.status_code as string;

  test('are changed, and what was changed counts at once', async () => {
    const { token, token_id: id } = (await on.admin('POST', `${account}/tokens`, { label: 'crm' })).body;
    expect(await status(token)).toBe('0');
    const path = `${account}/tokens/${id}`;
    const changes = { label: 'erp', requests_per_second: 7, expires: '2031-01-01T00:00:00Z', rest: true };
    const { http, body } = await on.admin('PATCH', path, changes);
    expect([http, body]).toEqual([
      200,
      expect.objectContaining({ ...changes, expires: Date.parse(changes.expires) }),
    ]);
    expect(body).not.toHaveProperty('hash');
    expect((await on.admin('GET', path)).body).toMatchObject({
      token_id: id,
      label: 'erp',
      permissions: null,
    });
    const codes = [];
    for (const change of [
      { rest: false },
      { rest: true, allowed_ips: ['203.0.113.7'] },
      { allowed_ips: [], permissions: { apis: { telephony: false } } },
      { permissions: null, expires: 1 },
      { expires: null },
    ]) {
      expect((await on.admin('PATCH', path, change)).http).toBe(200);
      codes.push(await status(token));
    }
    expect(codes).toEqual(['114', '142', '123', '102', '0']);
    await on.admin('DELETE', path);
    expect(await status(token)).toBe('102');
    expect((await on.admin('PATCH', path, { label: 'x' })).http).toBe(409);
    expect((await on.admin('PATCH', `${account}/tokens/999999`, { label: 'x' })).http).toBe(404);
  });
});
