import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import smpp from 'smpp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type StartedService, startService } from '../../src/compose/service.ts';
import { readConfig } from '../../src/config.ts';
import { openLog } from '../../src/log.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { type SmppServer, startSmppServer } from '../helpers/smppServer.ts';

let on: TestService;
let server: SmppServer;
beforeAll(async () => {
  [on, server] = await Promise.all([
    startTestService({ ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' }),
    startSmppServer(),
  ]);
  await routeOf(demoAccount);
});
afterAll(async () => {
  await on.stop();
  await server.stop();
});
beforeEach(() => {
  server.behaviour.submit = () => 0;
});

/** Makes the SMPP server the only way of an account. */
const routeOf = async (account: number): Promise<number> => {
  const routes = `/accounts/${account}/sms-routes`;
  for (const { route_id } of (await on.admin('GET', routes)).body.sms_routes)
    await on.admin('DELETE', `${routes}/${route_id}`);
  const settings = { host: '127.0.0.1', port: server.port, system_id: `a${account}`, reconnect_ms: 20 };
  const route = { name: 'A', kind: 'smpp', settings, secret: { password: 'sesame' } };
  const { route_id } = (await on.admin('POST', routes, route)).body;
  return route_id;
};

const rowOf = async (account: number, id: string) => {
  const { rows } = await on.database.pool.query('SELECT * FROM messages WHERE account_id = $1 AND id = $2', [
    account,
    Number(id),
  ]);
  return rows[0];
};

describe('SMS by an SMPP route of the account', () => {
  it('is acknowledged, and delivered when the receipt comes', async () => {
    const { body } = await on.post('MakeSMS', { dest: '11987650001', message: 'Bom dia', from: 'RAMAL' });
    expect(body.return).toMatchObject({ status: 'OK', status_code: '0' });
    const taken = server.taken.at(-1)!;
    expect(taken).toMatchObject({ to: '5511987650001', from: 'RAMAL', text: 'Bom dia' });
    const id = body.return.cdls_id;
    expect(await rowOf(demoAccount, id)).toMatchObject({ state: 'acknowledged', provider_id: taken.id });
    expect(await server.receipt(taken)).toBe(0);
    expect(await server.receipt(taken)).toBe(0);
    expect(await rowOf(demoAccount, id)).toMatchObject({ state: 'delivered', refunded: false });
  });

  it('gives its price back when a receipt says that it was not delivered', async () => {
    const { body } = await on.post('MakeSMS', { dest: '11987650002', message: 'Bom dia' });
    expect(await server.receipt(server.taken.at(-1)!, 'UNDELIV')).toBe(0);
    expect(await rowOf(demoAccount, body.return.cdls_id)).toMatchObject({
      ...{ state: 'undelivered', refunded: true, outcome_code: '012', outcome_text: 'UNDELIV' },
    });
  });

  it('is refused with the carrier’s own code in the log', async () => {
    server.behaviour.submit = () => smpp.errors['ESME_RINVDSTADR']!;
    const { http, body } = await on.post('MakeSMS', { dest: '11987650003', message: 'Bom dia' });
    expect([http, body.return.status_code]).toEqual([400, '300']);
    expect(await rowOf(demoAccount, body.return.cdls_id)).toMatchObject({
      ...{ state: 'failed', refunded: true, outcome_code: '11', outcome_text: 'ESME_RINVDSTADR' },
    });
  });

  it.each(['0', '1', ''])(
    'is refused by a gateway with the code "%s", which it may share with ours',
    async (code) => {
      const gateway = createServer((_, answer) => {
        answer.writeHead(400, { 'content-type': 'application/json' });
        answer.end(JSON.stringify({ code, message: 'invalid sender' }));
      }).listen(0, '127.0.0.1');
      await once(gateway, 'listening');
      const { port } = gateway.address() as AddressInfo;
      const routes = `/accounts/${demoAccount}/sms-routes`;
      const settings = {
        ...{ url: `http://127.0.0.1:${port}/`, error: { path: 'message' }, error_code: { path: 'code' } },
      };
      const { body: made } = await on.admin('POST', routes, {
        name: 'odd',
        kind: 'http',
        settings,
        position: -1,
      });
      expect(made).toMatchObject({ name: 'odd' });
      const { http, body } = await on.post('MakeSMS', { dest: '11987650008', message: `Bom dia "${code}"` });
      expect([http, body.return.status_code, body.return.status]).toEqual([400, '300', 'invalid sender']);
      expect(await rowOf(demoAccount, body.return.cdls_id)).toMatchObject({
        state: 'failed',
        refunded: true,
      });
      await on.admin('DELETE', `${routes}/${made.route_id}`);
      gateway.close();
    },
  );

  it('goes by another route when the first cannot, and is sent once', async () => {
    const routes = `/accounts/${demoAccount}/sms-routes`;
    const gateway = { url: 'http://127.0.0.1:1/' };
    const { body: first } = await on.admin('POST', routes, {
      ...{ name: 'away', kind: 'http', settings: gateway, position: -1 },
    });
    expect(first).toMatchObject({ name: 'away' });
    const before = server.taken.length;
    const { body } = await on.post('MakeSMS', { dest: '11987650004', message: 'Bom dia' });
    expect(body.return).toMatchObject({ status: 'OK' });
    expect(server.taken).toHaveLength(before + 1);
    await on.admin('DELETE', `${routes}/${first.route_id}`);
  });
});

describe('SMS by a route of the reseller', () => {
  it('hears its receipts, whoever sent it', async () => {
    const reseller = (await on.admin('POST', '/accounts', { name: 'Reseller', balance: 10 })).body.cdcs_id;
    const made = { name: 'Below', balance: 10, reseller_id: reseller };
    const below = (await on.admin('POST', '/accounts', made)).body.cdcs_id;
    const route = await routeOf(reseller);
    for (const { route_id } of (await on.admin('GET', `/accounts/${below}/sms-routes`)).body.sms_routes)
      await on.admin('DELETE', `/accounts/${below}/sms-routes/${route_id}`);
    const { token } = (await on.admin('POST', `/accounts/${below}/tokens`, {})).body;
    const { body } = await on.post('MakeSMS', { tsid: token, dest: '11987650005', message: 'Bom dia' });
    expect(body.return).toMatchObject({ status: 'OK' });
    const taken = server.taken.at(-1)!;
    expect(await rowOf(below, body.return.cdls_id)).toMatchObject({ route_id: route, provider_id: taken.id });
    expect(await server.receipt(taken)).toBe(0);
    expect(await rowOf(below, body.return.cdls_id)).toMatchObject({ state: 'delivered' });
  });
});

describe('a service that was started again', () => {
  it('finds by the log what the one before it sent', async () => {
    const { body } = await on.post('MakeSMS', { dest: '11987650006', message: 'Bom dia' });
    const taken = server.taken.at(-1)!;
    const dataDir = mkdtempSync(join(tmpdir(), 'ramal-sms-'));
    const config = readConfig({
      ...{ DATABASE_URL: on.database.url, DATA_DIR: dataDir, NODE_NAME: 'second' },
      // The secrets of routes are sealed with it.
      SECRET_KEY: on.service.secrets.secretKey,
    });
    let second: StartedService | undefined;
    try {
      const binds = server.binds.length;
      second = await startService({ ...config, port: 0, host: '127.0.0.1' }, openLog('silent'));
      await expect.poll(() => server.binds.length).toBe(binds + 2);
      await expect.poll(() => server.receipt(taken)).toBe(0);
      await expect
        .poll(() => rowOf(demoAccount, body.return.cdls_id))
        .toMatchObject({
          state: 'delivered',
        });
    } finally {
      await second?.stop();
      rmSync(dataDir, { recursive: true });
    }
  });
});
