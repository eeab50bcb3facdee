import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminToken, demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let one: TestService;
let other: TestService;
beforeAll(async () => {
  one = await startTestService({ NODE_NAME: 'one' });
  const same = { DATABASE_URL: one.database.url, NODE_NAME: 'other' };
  other = await startTestService({ ...same, ADMIN_TOKEN: 'the-next-admin-token-of-tests' });
});
afterAll(async () => {
  await other.stop();
  await one.stop();
});

test('a token that is revoked is refused at once where it was revoked, and seconds later by every node', async () => {
  const path = `/accounts/${demoAccount}/tokens`;
  const { token: tsid, token_id: id } = (await one.admin('POST', path, {})).body;
  const status = async (on: TestService) =>
    (await on.post('GetCallStatus', { tsid, maxreg: 1 })).body.return.status_code as string;
  expect([await status(one), await status(other)]).toEqual(['0', '0']);
  await one.admin('DELETE', `${path}/${id}`);
  expect(await status(one)).toBe('102');
  await expect.poll(() => status(other)).toBe('102');
});

test('an operator that is revoked is refused by every node at once', async () => {
  const { operator_id: id, key } = (await one.admin('POST', '/operators', { name: 'Ana', role: 'operator' }))
    .body;
  const bearer = { authorization: `Bearer ${key}` };
  expect((await other.admin('GET', '/accounts', undefined, bearer)).http).toBe(200);
  await one.admin('DELETE', `/operators/${id}`);
  expect((await other.admin('GET', '/accounts', undefined, bearer)).http).toBe(401);
});

test('a session of the admin token ends when the token is another, and an operator’s goes on', async () => {
  const { key } = (await one.admin('POST', '/operators', { name: 'Bia', role: 'operator' })).body;
  const open = async (token: string) => {
    const { headers } = await one.admin('POST', '/sessions', { token }, {});
    return { cookie: headers.get('set-cookie')!.split(';')[0]! };
  };
  const status = async (on: TestService, cookie: Record<string, string>) =>
    (await on.admin('GET', '/accounts', undefined, cookie)).http;
  const [ofAdmin, ofOperator] = [await open(adminToken), await open(key)];
  expect([await status(one, ofAdmin), await status(one, ofOperator)]).toEqual([200, 200]);
  expect([await status(other, ofAdmin), await status(other, ofOperator)]).toEqual([401, 200]);
});
