import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NameServer, startNameServer } from '../helpers/nameServer.ts';
import { type Receiver, startReceiver } from '../helpers/receiver.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
let server: NameServer;
let receiver: Receiver;
let gateway: Receiver;
/** Another account than the one whose names are silent. */
const other = { account: 0, token: '' };

beforeAll(async () => {
  [server, receiver, gateway] = await Promise.all([startNameServer(), startReceiver(), startReceiver()]);
  server.names.set('receiver.test', ['127.0.0.1']).set('gateway.test', ['127.0.0.1']);
  gateway.answer = (_, response) => response.end(`{"id":"g${gateway.heard.length}"}`);
  on = await startTestService({
    ...{ DNS_SERVERS: server.address, ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' },
  });
  other.account = (await on.admin('POST', '/accounts', { name: 'Other' })).body.cdcs_id;
  other.token = (await on.admin('POST', `/accounts/${other.account}/tokens`, { label: 'x' })).body.token;
  const callback_url = at(receiver, 'receiver.test');
  await on.admin('PATCH', `/accounts/${other.account}`, {
    callback_url,
    callback_events: 'all',
    balance: '100',
  });
  await route(other.account, '', 'gateway.test');
});
afterAll(async () => {
  await on.stop();
  receiver.close();
  gateway.close();
  await server.close();
});

const at = ({ url }: Receiver, host: string): string => `http://${host}:${new URL(url).port}/`;
const route = async (account: number, prefix: string, host: string): Promise<void> => {
  const settings = { url: `${at(gateway, host)}?to={to}`, id: { path: 'id' } };
  const wish = { name: host, kind: 'http', prefix, position: -1, settings };
  expect((await on.admin('POST', `/accounts/${account}/sms-routes`, wish)).http).toBe(201);
};
const stateOf = async (destination: string): Promise<string | undefined> =>
  (await on.database.pool.query('SELECT state FROM messages WHERE destination = $1', [destination])).rows[0]
    ?.state;

test('forty hosts behind a silent name server keep up no callback and no SMS of another account', async () => {
  await Promise.all(
    Array.from({ length: 40 }, (_, nth) =>
      on.post('MakeTTSCall', {
        ...{ dest: `1198765${String(4_000 + nth).slice(0, 2)}${String(nth).padStart(2, '0')}`, text: 'Olá' },
        rurl: `http://h${nth}.slow.test/`,
      }),
    ),
  );
  const silent = () => server.asked.filter((name) => name.includes('.slow.test'));
  await expect.poll(() => silent().length).toBeGreaterThan(8);
  const sent = await Promise.all(
    Array.from({ length: 10 }, (_, nth) =>
      on.post('MakeSMS', { tsid: other.token, dest: `119876540${nth}1`, text: 'Olá' }),
    ),
  );
  expect(sent.map(({ body }) => body.return.status)).toEqual(sent.map(() => 'OK'));
  expect(gateway.heard).toHaveLength(10);
  await expect.poll(() => receiver.heard.length).toBeGreaterThanOrEqual(10);
});

test('an SMS whose gateway cannot be looked up is sent when it can be', async () => {
  await route(demoAccount, '5521', 'gateway.slow.test');
  const before = gateway.heard.length;
  const { body } = await on.post('MakeSMS', { dest: '21987654321', text: 'Olá' });
  expect(body.return.status).toBe('WR');
  expect(await stateOf('5521987654321')).toBe('submitted');
  server.names.set('gateway.slow.test', ['127.0.0.1']);
  server.answers = () => true;
  await expect.poll(() => stateOf('5521987654321')).toBe('acknowledged');
  expect(gateway.heard.slice(before).map(({ path }) => path)).toEqual(['/?to=5521987654321']);
});
