/** What trunks and accounts may spend in a day, and numbers that an account does not call: what becomes of calls, and why. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  // A second of talk is a fifth of one here, and counts as at least one.
  on = await startTestService({ SANDBOX_SPEED: '5' });
});
afterAll(() => on.stop());
afterEach(async () => {
  await on.admin('PATCH', '/trunks/1', { spend_per_day: null, prices: [] });
  for (const { trunk_id, name } of (await on.admin('GET', '/trunks')).body.trunks)
    if (name !== 'sandbox') await on.admin('DELETE', `/trunks/${trunk_id}`);
});

interface Account {
  id: number;
  path: string;
  tsid: string;
}

/** Each test has its own: what is known of one is believed for three seconds. */
const anAccount = async (more: object = {}): Promise<Account> => {
  const { cdcs_id: id } = (await on.admin('POST', '/accounts', { name: 'Loja', ...more })).body;
  const { token: tsid } = (await on.admin('POST', `/accounts/${id}/tokens`, { label: 'shop' })).body;
  return { id, path: `/accounts/${id}`, tsid };
};
const call = async ({ tsid }: Account, dest: string, text = 'Olá'): Promise<string> =>
  (await on.post('MakeTTSCall', { tsid, dest, text, httpdup: 0 })).body.return.cd_id;
const machine = async (id: string) => (await on.admin('GET', `/machines/${id}`)).body;
const send = (id: string, type: string) => on.admin('POST', `/machines/${id}/events`, { type });
const ended = async (id: string) => {
  await expect.poll(async () => (await machine(id)).state).toBe('ended');
  const [attempt] = (await machine(id)).context.attempts;
  return attempt as { route: string; status: string } | undefined;
};
const explained = async (id: string): Promise<string> =>
  (await on.admin('GET', `/machines/${id}/explain`)).body.sentences.join(' ');
const spent = async (owner: string, id: number): Promise<number> => {
  const { rows } = await on.database.pool.query<{ units: number }>(
    'SELECT units::float8 AS units FROM spending WHERE owner = $1 AND owner_id = $2',
    [owner, id],
  );
  return rows.reduce((sum, { units }) => sum + units, 0);
};

test('an account that has spent its limit dials no more today, says so, and goes on when the limit is raised', async () => {
  const shop = await anAccount({ call_rate: 60, spend_per_day: '1.5' });
  for (const dest of ['11987650000', '11987651000'])
    expect(await ended(await call(shop, dest))).toMatchObject({ status: 'OK' });
  await expect.poll(() => spent('account', shop.id)).toBeGreaterThanOrEqual(20_000);
  const id = await call(shop, '11987652000');
  const says = new RegExp(
    `the calls of account ${shop.id} cost 2\\.\\d{4} today, and its limit of a day is 1\\.5000`,
  );
  await expect.poll(() => explained(id)).toMatch(says);
  expect((await on.admin('GET', '/why/5511987652000')).body.happened[0]).toMatchObject({ rule: 'dayLimit' });
  await on.admin('PATCH', shop.path, { spend_per_day: '1000' });
  const asked = async () => {
    await send(id, 'retryNow');
    return (await machine(id)).state;
  };
  await expect.poll(asked, { interval: 500 }).toBe('ended');
});

test('a long call is counted while it goes on', async () => {
  const shop = await anAccount({ call_rate: 60, spend_per_day: '1.5' });
  const long = await call(shop, '11987650000', 'Olá, bom dia. '.repeat(150));
  await expect.poll(() => spent('account', shop.id)).toBeGreaterThanOrEqual(20_000);
  expect((await machine(long)).state).toMatch(/^answered/);
  const id = await call(shop, '11987652000');
  await expect.poll(() => explained(id)).toContain('its limit of a day is');
  for (const one of [long, id]) await send(one, 'cancel');
});

test('a trunk that has spent its limit carries no more today, and another does', async () => {
  const shop = await anAccount();
  const price = { per_minute: '60', first_seconds: 1, step_seconds: 1 };
  await on.admin('PATCH', '/trunks/1', { prices: [price], spend_per_day: '0.5' });
  const second = { name: 'sandbox-b', server: 'sandbox', simulates: 'second' };
  await on.admin('POST', '/trunks', { ...second, calls_per_second: 20, legs: 40 });
  expect(await ended(await call(shop, '11987650000'))).toMatchObject({ route: 'sandbox' });
  await expect.poll(() => spent('trunk', 1)).toBeGreaterThanOrEqual(10_000);
  expect(await ended(await call(shop, '11987651000'))).toMatchObject({ route: 'sandbox-b' });
  const { trunks } = (await on.admin('GET', '/trunks')).body;
  await on.admin('DELETE', `/trunks/${trunks.at(-1).trunk_id}`);
  const id = await call(shop, '11987652000');
  await expect.poll(() => explained(id)).toContain('sandbox: dayLimit');
  await send(id, 'cancel');
});

test('an account calls no number that is closed to it', async () => {
  const shop = await anAccount({ closed_prefixes: { open: ['55'], closed: ['550900', '5521'] } });
  const closed = await call(shop, '21987650000');
  expect(await ended(closed)).toBeUndefined();
  expect(await explained(closed)).toContain(`account ${shop.id} calls no numbers like 5521987650000`);
  expect(await ended(await call(shop, '11987650000'))).toMatchObject({ status: 'OK' });
});

test('accounts refuse limits that are none', async () => {
  const { path } = await anAccount();
  const wrong = [{ spend_per_day: -1 }, { spend_per_day: 'much' }, { closed_prefixes: { closed: ['+55'] } }];
  for (const body of wrong) {
    const answer = await on.admin('PATCH', path, body);
    expect([answer.http, answer.body.field?.split('.')[0]]).toEqual([400, Object.keys(body)[0]]);
  }
});
