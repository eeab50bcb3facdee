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

  test('say how their link fares', async () => {
    const { body } = await on.admin('POST', routes, smpp());
    const path = `${routes}/${body.route_id}`;
    const state = async () => (await on.admin('GET', path)).body.link;
    await expect.poll(state, { timeout: 8_000 }).toEqual({ ok: true, detail: 'bound' });
    expect((await on.admin('GET', '/health')).body.checks.sms).toEqual({ ok: true, detail: '1 up' });
    await on.admin('DELETE', path);
    await expect.poll(() => carrier.links(), { timeout: 8_000 }).toBe(0);
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
    await Promise.all(Array.from({ length: 100 - there.length }, () => on.admin('POST', routes, sandbox)));
    expect(await on.admin('POST', routes, sandbox)).toMatchObject({ http: 409 });
  });
});
