/** Pools of caller ids: what callees see, counted at the sandbox carrier, and what the pools refuse. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { aList, anAsset, anId } from '../helpers/campaigns.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'ramal-caller-ids-'));
const path = `/accounts/${demoAccount}/caller-id-pools`;
const own = '551140000000';
const [paulista, campinas, rio] = ['551130001000', '551930001000', '552130001000'];

let on: TestService;
let content: string;
beforeAll(async () => {
  on = await startTestService({ DATA_DIR });
  content = await anAsset(on);
  await on.admin('PATCH', `/accounts/${demoAccount}`, { caller_id: own, caller_ids: ['551140000009'] });
});
afterAll(async () => {
  await on.stop();
  rmSync(DATA_DIR, { recursive: true });
});
afterEach(async () => {
  for (const { pool_id } of (await on.admin('GET', path)).body.caller_id_pools)
    await on.admin('DELETE', `${path}/${pool_id}`);
  for (const { trunk_id, name } of (await on.admin('GET', '/trunks')).body.trunks)
    if (name !== 'sandbox') await on.admin('DELETE', `/trunks/${trunk_id}`);
  await on.admin('PATCH', '/trunks/1', { caller_ids: [] });
  await on.database.pool.query('DELETE FROM caller_id_uses');
});

const make = async (body: object) => {
  const answer = await on.admin('POST', path, body);
  expect([answer.http, answer.body.error]).toEqual([201, undefined]);
  return answer.body;
};

const call = async (dest: string, more: object = {}): Promise<string> =>
  (await on.post('MakeTTSCall', { dest, text: 'Olá', httpdup: 0, ...more })).body.return.cd_id;

/** The id of the machine. */
const keyOf = (id: string): string => id.split('_').at(-1)!;

/** What the carrier was asked to show for the legs of a call. */
const seen = (id: string): string[] =>
  readFileSync(join(DATA_DIR, 'sandbox', 'calls.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"do":"originate"') && line.includes(`.${keyOf(id)}.`))
    .map((line) => (JSON.parse(line) as { callerId: string }).callerId);

const shown = async (dest: string, more: object = {}): Promise<string[]> => {
  const id = await call(dest, more);
  await on.ended(id);
  return seen(id);
};

const explained = async (id: string): Promise<string> =>
  (await on.admin('GET', `/machines/${id}/explain`)).body.sentences.join(' ');

describe('a pool', () => {
  test('shows callees a caller id of their area code, and the records say which', async () => {
    await make({ order: 'areaCode', caller_ids: [paulista, campinas, rio] });
    expect(await shown('21987650000')).toEqual([rio]);
    const id = await call('19987650000');
    await on.ended(id);
    expect(seen(id)).toEqual([campinas]);
    const { context } = (await on.admin('GET', `/machines/${id}`)).body;
    expect(context.attempts).toMatchObject([{ callerId: campinas }]);
    const { rows } = await on.database.pool.query('SELECT caller_id FROM calls WHERE id = $1', [keyOf(id)]);
    expect(rows).toEqual([{ caller_id: campinas }]);
  });

  test('takes turns', async () => {
    await make({ order: 'turns', caller_ids: [paulista, campinas, rio] });
    const numbers = Array.from({ length: 12 }, (_, nth) => `119876${String(nth + 10)}000`);
    const each = await Promise.all(numbers.map((number) => shown(number)));
    for (const one of [paulista, campinas, rio])
      expect(each.flat().filter((callerId) => callerId === one)).toHaveLength(4);
  });

  test('shows a person the same one again', async () => {
    await make({ order: 'turns', same_for_person: true, caller_ids: [paulista, campinas, rio] });
    const first = await shown('11987650000');
    await shown('11987660000');
    await shown('11987670000');
    expect(await shown('11987650000')).toEqual(first);
  });

  test('of a campaign comes before that of its account, and leaves single calls to the latter', async () => {
    const list = await aList(on, { numbers: ['5511987650000'] });
    const made = await on.post('CreateCampaign', { name: `campaign ${anId()}`, cdlc_id: list, content });
    const campaign = Number(made.body.return.cp_id);
    await make({ order: 'fixed', caller_ids: [paulista] });
    await make({ order: 'fixed', caller_ids: [rio], cp_id: campaign });
    expect(await shown('11987650000')).toEqual([paulista]);
    await on.post('ChangeCampaign', { cp_id: campaign, active: 1 });
    const dialled = async () =>
      (
        await on.database.pool.query('SELECT id FROM calls WHERE campaign_id = $1 AND status <> $2', [
          campaign,
          '',
        ])
      ).rows;
    await expect.poll(async () => (await dialled()).length).toBe(1);
    expect(seen(String((await dialled())[0].id))).toEqual([rio]);
  });

  test('leaves alone what the request asks for, and what the account shows without a pool', async () => {
    const { pool_id } = await make({ order: 'fixed', caller_ids: [rio] });
    expect(await shown('11987650000', { callerid: '551140000009' })).toEqual(['551140000009']);
    expect(await shown('11987650000', { callerid: '551199999999' })).toEqual([own]);
    await on.admin('PATCH', `${path}/${pool_id}`, { active: false });
    expect(await shown('11987650000')).toEqual([own]);
  });
});

describe('calls an hour', () => {
  test('are held for each caller id, and the next call waits and says for what', async () => {
    // Numbers of its own: records of other tests are of this hour, too.
    const [one, other] = ['551130002000', '552130002000'];
    const { pool_id } = await make({ caller_ids: [one, other], calls_per_hour: 2 });
    const each = await Promise.all(['00', '10', '20', '30'].map((two) => shown(`119876500${two}`)));
    expect(each.flat().toSorted()).toEqual([one, one, other, other]);
    const id = await call('11987650000');
    const says = `all caller ids of pool ${pool_id} have had their 2 calls of the hour`;
    await expect.poll(() => explained(id)).toContain(says);
    expect(seen(id)).toEqual([]);
    const hour = (await on.admin('GET', `${path}/${pool_id}/hour`)).body.caller_ids;
    expect(hour).toEqual([
      { caller_id: one, calls: 2, ended: 2, answered: 2 },
      { caller_id: other, calls: 2, ended: 2, answered: 2 },
    ]);
    await on.admin('PATCH', `${path}/${pool_id}`, { calls_per_hour: 3 });
    await on.admin('POST', `/machines/${id}/events`, { type: 'retryNow' });
    expect(await on.ended(id)).toMatchObject({ cd_status: 'OK' });
  });
});

describe('a trunk', () => {
  const second = {
    name: 'sandbox-b',
    server: 'sandbox',
    calls_per_second: 50,
    legs: 100,
    simulates: 'second',
  };

  test('shows those alone that it may, and another trunk the others', async () => {
    await on.admin('PATCH', '/trunks/1', { caller_ids: ['5521*', own] });
    await on.admin('POST', '/trunks', { ...second, caller_ids: ['5511*'] });
    await make({ order: 'fixed', caller_ids: [paulista, rio] });
    expect(await shown('11987650000')).toEqual([rio]);
    await on.admin('PATCH', '/trunks/1', { caller_ids: [own] });
    expect(await shown('11987650000')).toEqual([paulista]);
  });

  test('that refuses a call is followed by one that shows the same', async () => {
    await on.admin('POST', '/trunks', second);
    await make({ order: 'turns', caller_ids: [paulista, rio], calls_per_hour: 1 });
    expect(await shown('11999990003')).toEqual([paulista, paulista]);
    expect(await shown('11987650000')).toEqual([rio]);
  });

  test('that may show none of them any more shows the default of the account', async () => {
    await make({ order: 'fixed', caller_ids: [rio] });
    await on.admin('PATCH', '/trunks/1', { caller_ids: [own] });
    expect(await shown('11987650000')).toEqual([own]);
  });
});

test.each([
  ['a caller id that is no number', { caller_ids: ['hello'] }, 400, 'caller_ids'],
  ['none', { caller_ids: [] }, 400, 'caller_ids'],
  ['one twice, however it is written', { caller_ids: ['1130001000', '+55 11 3000-1000'] }, 400, 'caller_ids'],
  ['no calls an hour', { caller_ids: [rio], calls_per_hour: 0 }, 400, 'calls_per_hour'],
  ['an order that is none', { caller_ids: [rio], order: 'random' }, 400, 'order'],
  [
    'a person who sees the first as everybody does',
    { caller_ids: [rio], order: 'fixed', same_for_person: true },
    400,
    'same_for_person',
  ],
  ['a campaign that the account has not', { caller_ids: [rio], cp_id: 4_711 }, 400, 'cp_id'],
  ['what no trunk may show', { caller_ids: ['551130001000'] }, 400, 'caller_ids'],
  ['a second one for the same calls', { caller_ids: [rio] }, 409, 'cp_id'],
])('a pool refuses %s', async (_what, body, http, field) => {
  await on.admin('PATCH', '/trunks/1', { caller_ids: ['5521*'] });
  await make({ caller_ids: [rio] });
  const answer = await on.admin('POST', path, body);
  expect([answer.http, answer.body.field?.split('.')[0]]).toEqual([http, field]);
  expect((await on.admin('GET', path)).body.caller_id_pools).toHaveLength(1);
});

test('a pool of another account is not found', async () => {
  const { pool_id } = await make({ caller_ids: [rio] });
  const other = (await on.admin('POST', '/accounts', { name: 'Other' })).body.cdcs_id;
  const theirs = `/accounts/${other}/caller-id-pools/${pool_id}`;
  expect((await on.admin('GET', theirs)).http).toBe(404);
  expect((await on.admin('PATCH', theirs, { active: false })).http).toBe(404);
  expect((await on.admin('DELETE', theirs)).http).toBe(404);
  expect((await on.admin('GET', `${theirs}/hour`)).http).toBe(404);
  expect((await on.admin('GET', `${path}/${pool_id}`)).body).toMatchObject({ active: true });
});
