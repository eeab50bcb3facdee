import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminToken, demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ TRUSTED_PROXIES: '127.0.0.1' });
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
