import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSmsReceipts } from '../../src/hooks/read/smsReceipts.ts';
import { readGatewayAnswerField } from '../../src/rules/sms/gatewayTemplate.ts';
import { smsRouteSettingsSchemas } from '../../src/rules/sms/smsRouteCarrierSchemas.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

const url = 'https://gateway.example.net/send';
const settingsOf = (receipts: object) => smsRouteSettingsSchemas.http.parse({ url, receipts }).receipts!;
const flat = { id: { path: 'id' }, status: { path: 'status' } };

describe('what a gateway writes', () => {
  const delivered = [{ providerId: 'g1', status: 'delivered', code: '', text: '' }];

  test('may be a query, a form, JSON, or a text that expressions cut', () => {
    const settings = settingsOf(flat);
    expect(readSmsReceipts('token=x&id=g1&status=DELIVRD', '', settings)).toEqual(delivered);
    expect(readSmsReceipts('token=x', 'id=g1&status=delivered', settings)).toEqual(delivered);
    expect(readSmsReceipts('', ' {"id":"g1","status":"Delivered"}\n', settings)).toEqual(delivered);
    expect(readSmsReceipts('', '[{"id":"g1","status":"delivered"}]', settings)).toEqual(delivered);
    const xml = settingsOf({ id: { matches: 'id="([^"]+)"' }, status: { matches: '<status>(\\w+)' } });
    expect(readSmsReceipts('', '<dlr id="g1"><status>DELIVRD</status></dlr>', xml)).toEqual(delivered);
  });

  test('may hold a list, and say why something failed', () => {
    const settings = settingsOf({
      ...{ list: 'results', id: { path: 'messageId' }, status: { path: 'status.groupName' } },
      ...{ error: { path: 'error.description' }, error_code: { path: 'error.id' }, undelivered: ['gone'] },
    });
    const error = { id: 13, description: 'no such subscriber' };
    const results = [
      { messageId: 1, status: { groupName: 'GONE' }, error },
      { messageId: 2, status: { groupName: 'PENDING' } },
    ];
    expect(readSmsReceipts('', JSON.stringify({ results }), settings)).toEqual([
      { providerId: '1', status: 'undelivered', code: '13', text: 'no such subscriber' },
      { providerId: '2', status: undefined, code: '', text: '' },
    ]);
  });

  test('may name messages by numbers too large for a number', () => {
    const [one, other] = ['12345678901234567890', '12345678901234567891'];
    const list = `[{"id":${one},"status":"delivered"},{"id":${other},"status":"delivered"}]`;
    const idsOf = (body: string, settings: object) =>
      readSmsReceipts('', body, settingsOf({ ...flat, ...settings })).map(({ providerId }) => providerId);
    expect(idsOf(`{"results":${list}}`, { list: 'results' })).toEqual([one, other]);
    expect(idsOf(`{"id":${one},"status":"delivered"}`, {})).toEqual([one]);
    expect(readGatewayAnswerField(`{"data":{"id":${one}}}`, { path: 'data.id' })).toBe(one);
  });

  test('may be nonsense, which names no message', () => {
    const settings = settingsOf(flat);
    const ids = ['m'.repeat(256), 'm\u0000', 'm\u001b', 'm\ud800'];
    // It can be parsed, and overflows the stack when it is written again.
    const deep = `${'['.repeat(6_000)}{"id":"g1"}${']'.repeat(6_000)}`;
    for (const body of [
      ...ids.map((id) => JSON.stringify({ id })),
      '',
      'x',
      '{',
      '{"id":{}}',
      'a=b',
      '7',
      deep,
    ])
      expect(readSmsReceipts('', body, settings)).toEqual([
        { providerId: '', status: undefined, code: '', text: '' },
      ]);
    expect(readSmsReceipts('', '{"results":{}}', settingsOf({ ...flat, list: 'results' }))).toEqual([]);
  });
});

describe('receipts of a gateway', () => {
  let on: TestService;
  let gateway: Server;
  let taken = 0;
  let route: number;

  beforeAll(async () => {
    gateway = createServer((request, response) => {
      request.resume();
      request.on('end', () => response.end(JSON.stringify({ id: `g${(taken += 1)}` })));
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    on = await startTestService({ ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' });
    route = await makeRoute({ receipts: flat });
  });
  afterAll(async () => {
    await on.stop();
    gateway.closeAllConnections();
    gateway.close();
  });

  const makeRoute = async (settings: object, secret: object = { receipt_token: 'hush' }): Promise<number> => {
    const address = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/send`;
    const body = '{"to":"{to}","text":"{text}"}';
    const made = await on.admin('POST', `/accounts/${demoAccount}/sms-routes`, {
      ...{ name: 'gateway', kind: 'http', position: -1, secret },
      settings: { url: address, body, id: { path: 'id' }, ...settings },
    });
    expect(made.http).toBe(201);
    return made.body.route_id;
  };
  const sent = async (text: string) => {
    const answer = await on.post('MakeSMS', { dest: '11987650000', text });
    expect(answer.body.return.status).toBe('OK');
    return messageOf(answer.body.return.cdls_id);
  };
  const messageOf = async (id: string | bigint) =>
    (await on.database.prisma.message.findFirst({ where: { account_id: demoAccount, id: BigInt(id) } }))!;
  const tell = async (path: string, init: RequestInit = {}): Promise<[number, string]> => {
    const answer = await fetch(`${on.url}/hooks/sms/${path}`, init);
    return [answer.status, await answer.text()];
  };

  test('move the message log, by GET and POST, and a failed one gives back what the message cost', async () => {
    const [first, second] = [await sent('one'), await sent('two')];
    expect(first).toMatchObject({ state: 'acknowledged', route_id: route, provider_id: 'g1' });
    const query = `${route}?token=hush&id=g1&status=DELIVRD`;
    expect([await tell(query), await tell(query)]).toEqual([
      [200, 'OK'],
      [200, 'OK'],
    ]);
    expect((await messageOf(first.id)).state).toBe('delivered');
    const body = JSON.stringify({ id: 'g2', status: 'rejected' });
    const headers = { authorization: 'Bearer hush' };
    expect(await tell(`${route}`, { method: 'POST', headers, body })).toEqual([200, 'OK']);
    expect(await messageOf(second.id)).toMatchObject({ state: 'failed', refunded: true });
  });

  test('say nothing while a message is still on its way', async () => {
    const { id, provider_id } = await sent('three');
    expect(await tell(`${route}?token=hush&id=${provider_id}&status=buffered`)).toEqual([200, 'OK']);
    expect((await messageOf(id)).state).toBe('acknowledged');
  });

  test('are taken from whoever knows the token, and by routes that have one', async () => {
    const { id, provider_id } = await sent('four');
    const said = `id=${provider_id}&status=failed`;
    for (const query of [said, `${said}&token=`, `${said}&token=wrong`])
      expect(await tell(`${route}?${query}`)).toEqual([403, 'the token does not fit']);
    const open = await makeRoute({ receipts: flat }, {});
    expect(await tell(`${open}?${said}&token=`)).toEqual([403, 'the token does not fit']);
    const silent = await makeRoute({});
    for (const other of [silent, 1, 99_999_999])
      expect((await tell(`${other}?${said}&token=hush`))[0]).toBe(404);
    expect((await messageOf(id)).state).toBe('acknowledged');
    await on.admin('DELETE', `/accounts/${demoAccount}/sms-routes/${open}`);
    await on.admin('DELETE', `/accounts/${demoAccount}/sms-routes/${silent}`);
  });

  test('by another route touch no message, and one that fits none is asked for again for a while', async () => {
    const { id, provider_id } = await sent('five');
    const other = await makeRoute({ receipts: flat });
    const said = `token=hush&id=${provider_id}&status=failed`;
    expect((await tell(`${other}?${said}`))[0]).toBe(503);
    expect((await messageOf(id)).state).toBe('acknowledged');
  });

  test('that name no message are refused, and too many at once', async () => {
    expect((await tell(`${route}?token=hush&status=failed`))[0]).toBe(400);
    const many = JSON.stringify(Array.from({ length: 1_001 }, () => ({ id: 'g1', status: 'failed' })));
    expect((await tell(`${route}?token=hush`, { method: 'POST', body: many }))[0]).toBe(413);
  });
});
