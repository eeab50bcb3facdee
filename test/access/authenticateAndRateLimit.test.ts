import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOOPBACK_CLIENT_NAME } from '../../src/lib/ipAddressRanges.ts';
import { adminToken, demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
const lines: string[] = [];
beforeAll(async () => {
  on = await startTestService({ TRUSTED_PROXIES: '127.0.0.1' }, (line) => void lines.push(line));
});
afterAll(() => on.stop());

const wrong = 'w'.repeat(30);
let addresses = 0;
/** An address that nobody has used yet. */
const someone = (): Record<string, string> => ({ 'X-Forwarded-For': `203.0.113.${++addresses}` });
const ask = async (headers: Record<string, string>, body: object = {}) => {
  const answer = await on.post('GetCallStatus', { maxreg: 1, ...body }, headers);
  return { ...answer, told: [answer.http, answer.body.return.status_code] };
};
const fail = async (from: Record<string, string>, times: number, tsid: string = wrong): Promise<void> => {
  for (let time = 0; time < times; time += 1) await ask(from, { tsid });
};
const aToken = async (given: object): Promise<string> =>
  (await on.admin('POST', `/accounts/${demoAccount}/tokens`, given)).body.token;

test('[5/131] the twentieth failure closes the door to an address, right tokens included, and to no other', async () => {
  const from = someone();
  await fail(from, 10);
  await fail(from, 9, 'malformed');
  expect((await ask(from)).told).toEqual([200, '0']);
  await fail(from, 1);
  expect((await ask(from)).told).toEqual([401, '131']);
  expect((await ask(from, { tsid: wrong })).told).toEqual([401, '131']);
  expect((await ask(someone())).told).toEqual([200, '0']);
});

test('[5/199] the hundredth failure blocks an address, and right tokens are no failures', async () => {
  const from = someone();
  await fail(from, 20);
  for (let time = 0; time < 30; time += 1) await ask(from);
  await fail(from, 79);
  expect((await ask(from)).told).toEqual([401, '131']);
  await fail(from, 1);
  expect((await ask(from)).told).toEqual([401, '199']);
});

test('a request that shows no token is refused and not counted', async () => {
  const from = someone();
  await fail(from, 25, '');
  expect((await ask(from)).told).toEqual([200, '0']);
});

test('CreateDestinationBase tells them by its own code', async () => {
  const from = someone();
  await fail(from, 20);
  const { http, body } = await on.post('CreateDestinationBase', { name: 'x', datajson: [] }, from);
  expect([http, body.return.status_code]).toEqual([401, '210']);
  expect(body.return.status).toMatch(/^131: /);
});

test('of tokens that come all at once no more are looked at than of those that come one by one', async () => {
  const from = someone();
  const guesses = Array.from({ length: 60 }, (_, n) => ask(from, { tsid: String(n).padStart(30, 'w') }));
  const codes = (await Promise.all(guesses)).map(({ told }) => told[1]);
  expect(codes.filter((code) => code === '102').length).toBe(20);
  expect(codes.filter((code) => code === '131').length).toBe(40);
});

test('the right token among guesses that come all at once opens nothing when it is the twenty-first', async () => {
  const from = someone();
  const guesses = Array.from({ length: 25 }, (_, n) => ask(from, { tsid: String(n).padStart(30, 'v') }));
  const right = ask(from);
  await Promise.all(guesses);
  expect((await right).told).toEqual([401, '131']);
});

test('who is kept out hears for how long, by every door, and the log says it once', async () => {
  const from = someone();
  const address = from['X-Forwarded-For'];
  await fail(from, 25);
  const { headers, body } = await ask(from);
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(500);
  expect(seconds).toBeLessThanOrEqual(600);
  expect(body.return.status).toContain(`no token of ${address} is looked at for ${seconds} s`);
  const tool = await fetch(`${on.url}/mcp`, {
    ...{ method: 'POST', headers: { ...from, authorization: `Bearer ${wrong}` } },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  expect([tool.status, Number(tool.headers.get('retry-after')) > 500]).toEqual([401, true]);
  const admin = await on.admin('GET', '/accounts', undefined, {
    ...from,
    authorization: `Bearer ${adminToken}`,
  });
  expect([admin.http, Number(admin.headers.get('retry-after')) > 500]).toEqual([429, true]);
  expect(admin.body.error).toContain('is looked at for');
  expect(
    lines.filter((line) => line.includes(`"address":"${address}"`) && line.includes('kept out')).length,
  ).toBe(1);
});

test('an administrator sees who is kept out and lets them in, which stands in the audit log', async () => {
  const from = someone();
  const address = from['X-Forwarded-For']!;
  await fail(from, 20);
  const { body } = await on.admin('GET', '/lockouts');
  expect(body.lockouts[0]).toMatchObject({ address, standing: 'throttled' });
  expect((await on.admin('DELETE', `/lockouts/${address}`)).body).toEqual({ address, was: 'throttled' });
  expect((await ask(from)).told).toEqual([200, '0']);
  expect((await on.admin('DELETE', `/lockouts/${address}`)).body.was).toBe('free');
  expect((await on.admin('DELETE', '/lockouts/somewhere')).http).toBe(400);
  const { entries } = (await on.admin('GET', '/audit?kind=change')).body;
  expect(entries).toContainEqual(expect.objectContaining({ action: `DELETE /lockouts/${address}` }));
  const { key } = (await on.admin('POST', '/operators', { name: 'Ana', role: 'operator' })).body;
  const asOperator = { authorization: `Bearer ${key}` };
  expect((await on.admin('DELETE', `/lockouts/${address}`, undefined, asOperator)).http).toBe(403);
});

test.each(['TOKEN', 'YOUR_TOKEN', '$TOKEN', "'$TOKEN'", '${TOKEN}', '<token>', '{{token}}', 'xxxxx', '...'])(
  '%s, as documentation prints it, is refused and not counted',
  async (tsid) => {
    const from = someone();
    await fail(from, 25, tsid);
    expect((await ask(from)).told).toEqual([200, '0']);
  },
);

test('a bearer that was left empty, its variable not being set, is refused and not counted', async () => {
  const from = someone();
  for (let time = 0; time < 25; time += 1) await ask({ ...from, authorization: 'Bearer ' }, { tsid: '' });
  expect((await ask(from)).told).toEqual([200, '0']);
});

test('programs of this machine have two hundred tries, and only without a proxy between', async () => {
  const proxied = { Forwarded: 'for=203.0.113.250' };
  await fail(proxied, 20);
  expect((await ask(proxied)).told).toEqual([401, '131']);
  await on.admin('DELETE', '/lockouts/127.0.0.1');
  await fail({}, 199);
  expect((await ask({})).told).toEqual([200, '0']);
  await fail({}, 1);
  expect((await ask({})).told).toEqual([401, '131']);
  expect((await on.admin('GET', '/accounts')).http).toBe(429);
  // Wrong keys that are shown for that count by themselves.
  for (let time = 0; time < 5; time += 1)
    expect(
      (await on.admin('DELETE', '/lockouts/loopback', undefined, { authorization: 'Bearer no' })).http,
    ).toBe(401);
  expect((await on.admin('DELETE', '/lockouts/127.0.0.1')).body).toEqual({
    address: '127.0.0.1',
    was: 'throttled',
  });
  expect((await ask({})).told).toEqual([200, '0']);
  expect(lines.some((line) => line.includes(`"address":"${LOOPBACK_CLIENT_NAME}"`))).toBe(true);
});

test('the admin door counts with them', async () => {
  const url = `${on.url}/admin/api/accounts`;
  const from = someone();
  const knock = async (token: string) =>
    (await fetch(url, { headers: { ...from, authorization: `Bearer ${token}` } })).status;
  for (let time = 0; time < 20; time += 1) expect(await knock('guess')).toBe(401);
  expect([await knock('guess'), await knock(adminToken)]).toEqual([429, 429]);
  expect((await ask(from)).told).toEqual([401, '131']);
});

test('[5/429] a token has its burst, then waits, and hears for how long', async () => {
  const tsid = await aToken({ requests_per_second: 1 });
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask(someone(), { tsid })));
  const served = answers.filter(({ http }) => http === 200);
  const refused = answers.filter(({ http }) => http === 429);
  expect(served.length).toBeGreaterThanOrEqual(2);
  expect(served[0]!.headers.get('ratelimit-limit')).toBe('2');
  expect(served.map(({ headers }) => headers.get('ratelimit-remaining'))).toContain('1');
  expect(refused[0]!.told).toEqual([429, '429']);
  expect(refused[0]!.headers.get('retry-after')).toBe('1');
  expect(refused[0]!.body.return.status).toContain('1 a second');
  expect((await ask(someone(), { tsid: await aToken({}) })).told).toEqual([200, '0']);
});

test('an upload counts once', async () => {
  const tsid = await aToken({ requests_per_second: 2 });
  const form = new FormData();
  form.set('tsid', tsid);
  form.set('name', 'list');
  form.set('file', new Blob(['phone\n11987650000\n']), 'list.csv');
  const { http, headers } = await on.post('CreateDestinationBase', form, someone());
  expect([http, headers.get('ratelimit-remaining')]).toEqual([200, '3']);
});
