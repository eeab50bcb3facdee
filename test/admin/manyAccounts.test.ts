/** An installation with more accounts than are read at a time: those with the highest ids are looked at as well. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
const newest = { id: 0, token: '' };
const many = 2_100;

beforeAll(async () => {
  on = await startTestService();
  await on.database.pool.query(
    `INSERT INTO accounts SELECT (jsonb_populate_record(one, jsonb_build_object('id', 100 + nth, 'name', 'Shop ' || nth))).*
     FROM accounts one, generate_series(1, $2::int) nth WHERE one.id = $1`,
    [demoAccount, many],
  );
  await on.database.pool.query("INSERT INTO small_ids (name, next) VALUES ('account', 3000)");
  newest.id = (await on.admin('POST', '/accounts', { name: 'Newest', balance: 10 })).body.cdcs_id;
  newest.token = (await on.admin('POST', `/accounts/${newest.id}/tokens`, {})).body.token;
});
afterAll(() => on.stop());

test('the calls of the newest, its name and why a number was not called are found', async () => {
  const block = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const call = { tsid: newest.token, dest: '11987654321', text: 'Oi', block };
  const { cd_id: id } = (await on.post('MakeTTSCall', call)).body.return;
  expect(newest.id).toBeGreaterThan(many);
  const find = async (q: string) => (await on.admin('GET', `/find?q=${q}`)).body;
  expect(await find('11987654321')).toMatchObject({
    found: [{ kind: 'call', id, account: newest.id }],
    accounts: { [newest.id]: 'Newest' },
  });
  expect((await find('Newest')).found).toMatchObject([{ kind: 'account', account: newest.id }]);
  const why = await on.admin('GET', '/why/11987654321');
  expect(JSON.stringify(why.body)).toContain(id);
  expect((await on.admin('GET', '/machines?kind=call')).body.accounts).toEqual({ [newest.id]: 'Newest' });
});

test('the page Now tells the names of accounts that it speaks of, and no others', async () => {
  const { accounts } = (await on.admin('GET', '/now')).body;
  expect(Object.keys(accounts).length).toBeLessThan(20);
});
