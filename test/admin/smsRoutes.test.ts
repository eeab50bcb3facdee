import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { type SmppServer, startSmppServer } from '../helpers/smppServer.ts';

let on: TestService;
let carrier: SmppServer;
beforeAll(async () => {
  [on, carrier] = await Promise.all([startTestService(), startSmppServer()]);
});
afterAll(async () => {
  await on.stop();
  await carrier.stop();
});

const routes = `/accounts/${demoAccount}/sms-routes`;
const smpp = (more: object = {}) => ({
  name: 'Carrier A',
  kind: 'smpp',
  settings: { host: '127.0.0.1', port: carrier.port, system_id: 'ramal' },
  secret: { password: 'sesame' },
  ...more,
});

describe('SMS routes', () => {
  test('are made, read, changed and removed, and their secret never comes out', async () => {
    const made = await on.admin('POST', routes, smpp({ prefix: '5511', position: 3 }));
    expect([made.http, made.body]).toMatchObject([
      201,
      {
        name: 'Carrier A',
        cdcs_id: demoAccount,
        prefix: '5511',
        position: 3,
        active: true,
        has_secret: true,
      },
    ]);
    expect(made.body.settings).toMatchObject({ window: 50, tls: false, receipts: true });
    const path = `${routes}/${made.body.route_id}`;
    expect((await on.admin('GET', path)).body).toMatchObject({ route_id: made.body.route_id });
    const changed = await on.admin('PATCH', path, {
      active: false,
      position: 1,
      secret: { password: 'other' },
    });
    expect(changed.body).toMatchObject({ active: false, position: 1, has_secret: true });
    const listed = await on.admin('GET', routes);
    expect(listed.body.sms_routes.map(({ name }: { name: string }) => name)).toContain('sandbox');
    for (const { body } of [made, changed, listed])
      expect(JSON.stringify(body)).not.toMatch(/sesame|other|v1\./);
    expect((await on.admin('DELETE', path)).http).toBe(204);
    expect((await on.admin('GET', path)).http).toBe(404);
  });

  test('a gateway inside is refused, with the setting that opens it, and switches no sandbox off', async () => {
    const gateway = { name: 'Inside', kind: 'http', settings: { url: 'http://127.0.0.1:9097/v1?to={to}' } };
    const before = (await on.admin('GET', routes)).body.sms_routes;
    const refused = await on.admin('POST', routes, gateway);
    expect([refused.http, refused.body.field]).toEqual([400, 'settings.url']);
    expect(refused.body.error).toContain(
      'points into a private network, which ALLOW_PRIVATE_TARGETS=127.0.0.1/32 opens',
    );
    expect((await on.admin('GET', routes)).body.sms_routes).toEqual(before);
    const outside = { ...gateway, settings: { url: 'https://gateway.example/v1' }, active: false };
    const { route_id } = (await on.admin('POST', routes, outside)).body;
    const moved = await on.admin('PATCH', `${routes}/${route_id}`, { settings: gateway.settings });
    expect([moved.http, moved.body.field]).toEqual([400, 'settings.url']);
    await on.admin('DELETE', `${routes}/${route_id}`);
  });

  test('the first real one that is active takes the place of the sandbox, and the message reaches it', async () => {
    const { cdcs_id: account } = (await on.admin('POST', '/accounts', { name: 'New', balance: 10 })).body;
    const { token } = (await on.admin('POST', `/accounts/${account}/tokens`, {})).body;
    const send = async (message: string) => {
      const answer = await on.post('MakeSMS', { tsid: token, dest: '11987650001', message });
      const log = await on.admin('GET', `/accounts/${account}/messages/${answer.body.return.cdls_id}`);
      return [answer.headers.get('ramal-sandbox'), log.body.sandbox];
    };
    expect(await send('Bom dia')).toEqual(['true', true]);
    const own = `/accounts/${account}/sms-routes`;
    const [sandbox] = (await on.admin('GET', own)).body.sms_routes;
    const { route_id, ...made } = (await on.admin('POST', own, smpp({ active: false, position: 1 }))).body;
    expect(made).toMatchObject({ switched_off: [] });
    const active = await on.admin('PATCH', `${own}/${route_id}`, { active: true });
    expect(active.body).toMatchObject({ active: true, switched_off: [sandbox.route_id] });
    expect((await on.admin('GET', own)).body.sms_routes).toMatchObject([
      { route_id, active: true, position: 1 },
      { route_id: sandbox.route_id, active: false, position: 2 },
    ]);
    expect(await send('Boa tarde')).toEqual([null, false]);
    expect(carrier.taken.at(-1)).toMatchObject({ text: 'Boa tarde' });
    await on.admin('PATCH', `${own}/${sandbox.route_id}`, { active: true });
    expect((await on.admin('POST', own, smpp())).body).toMatchObject({ switched_off: [] });
    for (const one of (await on.admin('GET', own)).body.sms_routes)
      await on.admin('DELETE', `${own}/${one.route_id}`);
  });

  test('of two first ones that come at once, one switches the sandbox off', async () => {
    const { cdcs_id: account } = (await on.admin('POST', '/accounts', { name: 'Two' })).body;
    const own = `/accounts/${account}/sms-routes`;
    const made = await Promise.all([1, 2].map(() => on.admin('POST', own, smpp({ kind: 'smpp' }))));
    expect(made.map(({ body }) => body.switched_off.length).toSorted((a, b) => a - b)).toEqual([0, 1]);
    for (const one of (await on.admin('GET', own)).body.sms_routes)
      await on.admin('DELETE', `${own}/${one.route_id}`);
  });

  test('say how their link fares', async () => {
    const { body } = await on.admin('POST', routes, smpp());
    const path = `${routes}/${body.route_id}`;
    const state = async () => (await on.admin('GET', path)).body.link;
    await expect.poll(state).toEqual({ ok: true, detail: 'bound' });
    expect((await on.admin('GET', '/health')).body.checks.sms).toEqual({
      ok: true,
      detail: 'sandbox, smpp; links: 1 up',
    });
    await on.admin('DELETE', path);
    await expect.poll(() => carrier.links()).toBe(0);
  });

  test.each([
    ['settings.host', { settings: { system_id: 'x' } }],
    ['settings.host', { settings: { host: 'a b', system_id: 'x' } }],
    ['settings.window', { settings: { host: 'x', system_id: 'x', window: 0 } }],
    ['settings.windows', { settings: { host: 'x', system_id: 'x', windows: 1 } }],
    ['secret.password', { secret: { password: 7 } }],
    ['secret.user', { secret: { password: 'x', user: 'x' } }],
    ['prefix', { prefix: '+55' }],
    ['position', { position: 1.5 }],
    ['kind', { kind: 'pigeon' }],
    ['secret', { kind: 'sandbox', settings: {} }],
    ['name', { name: '' }],
  ])('refuse a wrong %s', async (field, wrong) => {
    expect(await on.admin('POST', routes, smpp(wrong))).toMatchObject({ http: 400, body: { field } });
  });

  test('of another account do not exist', async () => {
    const { body } = await on.admin('POST', routes, smpp({ active: false }));
    const foreign = `/accounts/2/sms-routes/${body.route_id}`;
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect((await on.admin(method, foreign, method === 'PATCH' ? {} : undefined)).http).toBe(404);
  });

  test('are a hundred at most', async () => {
    const { sms_routes: there } = (await on.admin('GET', routes)).body;
    const sandbox = { name: 'x', kind: 'sandbox', active: false };
    const made = Array.from({ length: 100 - there.length }, () => on.admin('POST', routes, sandbox));
    expect((await Promise.all(made)).filter(({ http }) => http !== 201)).toEqual([]);
    expect(await on.admin('POST', routes, sandbox)).toMatchObject({ http: 409 });
  });
});

test('with SANDBOX=off an account begins with no route, no line, and nothing says delivered', async () => {
  const off = await startTestService({ SANDBOX: 'off' });
  try {
    expect((await off.admin('GET', routes)).body.sms_routes).toEqual([]);
    expect((await off.admin('GET', `/accounts/${demoAccount}/lines`)).body.lines).toEqual([]);
    const { cdcs_id: account } = (await off.admin('POST', '/accounts', { name: 'New' })).body;
    expect((await off.admin('GET', `/accounts/${account}/sms-routes`)).body.sms_routes).toEqual([]);
    const { body } = await off.post('MakeSMS', { dest: '11987650001', message: 'Bom dia' });
    expect(body.return.status_code).toBe('220');
    expect((await off.admin('GET', '/health')).body.checks.sandbox.detail).toBe(
      'calls ring nowhere (CARRIER)',
    );
  } finally {
    await off.stop();
  }
});
