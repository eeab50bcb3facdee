import { afterAll, beforeAll, expect, test } from 'vitest';
import { aGroup, aList, anAsset, anId } from '../helpers/campaigns.ts';
import { demoAccount, type RestAnswer, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
let content: string;
let stranger: number;
beforeAll(async () => {
  on = await startTestService();
  stranger = (await on.admin('POST', '/accounts', { name: 'Stranger' })).body.cdcs_id;
  content = await anAsset(on);
});
afterAll(() => on.stop());

const path = `/accounts/${demoAccount}/campaigns`;
const numbers = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => String(5511987650000 + from + n));

const created = async (given: object): Promise<number> => {
  const { body } = await on.post('CreateCampaign', { name: `campaign ${anId()}`, content, ...given });
  expect(body.return.status).toBe('OK');
  return Number(body.return.cp_id);
};

const pages = async (from: string, key: string): Promise<RestAnswer['body'][]> => {
  const found: RestAnswer['body'][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { http, body } = await on.admin('GET', `${from}${cursor === '' ? '' : `?cursor=${cursor}`}`);
    expect(http).toBe(200);
    found.push(...body[key]);
    cursor = body.cursor;
  }
  return found;
};

test('campaigns are listed newest first, page by page', async () => {
  const list = await aList(on);
  const ids: number[] = [];
  for (let n = 0; n < 103; n += 1) ids.unshift(await created({ cdlc_id: list }));
  const listed = (await pages(path, 'campaigns')).map((one) => one.cp_id);
  expect(listed.filter((id) => ids.includes(id))).toEqual(ids);
  expect((await on.admin('GET', `${path}?cursor=x`)).body).toMatchObject({ field: 'cursor' });
});

test('one campaign shows its counts, what was left out by reason, and what it was made of', async () => {
  const list = await aList(on, { numbers: [...numbers(0, 3), ...numbers(0, 2)] });
  const id = await created({ cdlc_id: list, vel: 7, limit_name: 0 });
  const { body } = await on.admin('GET', `${path}/${id}`);
  expect(body).toMatchObject({
    cp_id: id,
    cdcs_id: demoAccount,
    state: 'paused',
    destinations: 3,
    skipped: 2,
    skipped_by_reason: { duplicate: 2 },
    calls_per_minute: 7,
    definition: { list, audio: [content] },
  });
  expect((await on.admin('GET', `${path}/999999`)).http).toBe(404);
  expect((await on.admin('GET', `/accounts/${stranger}/campaigns/${id}`)).http).toBe(404);
  expect((await on.admin('GET', `/accounts/${stranger}/campaigns`)).body.campaigns).toEqual([]);
});

test('nobody is called while the account is switched off, and everybody afterwards', async () => {
  const id = await created({ cdlc_id: await aList(on, { numbers: numbers(500, 5) }) });
  await on.admin('PATCH', `/accounts/${demoAccount}`, { active: false });
  await on.admin('PATCH', `${path}/${id}`, { active: true });
  const events = async (): Promise<string[]> =>
    (await on.admin('GET', `/machines/a_${id}?account=${demoAccount}`)).body.history.map(
      (entry: { event: string }) => entry.event,
    );
  await expect.poll(events).toContain('destinationsFound');
  expect((await on.admin('GET', `${path}/${id}`)).body).toMatchObject({ made: 0, ended: 0 });
  await on.admin('PATCH', `/accounts/${demoAccount}`, { active: true });
  await expect
    .poll(async () => (await on.admin('GET', `${path}/${id}`)).body)
    .toMatchObject({ state: 'completed', made: 5 });
});

test('every record of the list: why it was left out, or where its call stands', async () => {
  const list = await aList(on, { numbers: [...numbers(0, 150), ...numbers(0, 120)] });
  const id = await created({ cdlc_id: list, limit_name: 0 });
  const skipped = await pages(`${path}/${id}/skipped`, 'skipped');
  expect(skipped).toHaveLength(120);
  expect(skipped[0]).toEqual({
    ...{ row: 151, line: null, reason: 'duplicate' },
    ...{ numbers: '5511987650000', name: 'person 151' },
  });
  const waiting = await pages(`${path}/${id}/destinations`, 'destinations');
  expect(waiting.map((one) => one.row)).toEqual(Array.from({ length: 150 }, (_, n) => n + 1));
  expect(waiting[0]).toMatchObject({ row: 1, region: 'SP', state: 'waiting', call: null });

  await on.admin('PATCH', `${path}/${id}`, { active: true });
  await expect.poll(async () => (await on.admin('GET', `${path}/${id}`)).body.state).toBe('completed');
  const ended = await pages(`${path}/${id}/destinations`, 'destinations');
  expect(ended.map((one) => one.state)).toEqual(Array.from({ length: 150 }, () => 'ended'));
  expect(ended[0].call).toMatchObject({ cd_id: expect.stringMatching(/^a_\d+$/), attempt: 1 });
  expect((await on.admin('GET', `${path}/${id}/destinations?cursor=?`)).http).toBe(400);
});

test('an operator changes it: a model, its group, its priority, its name, its pace, its hours', async () => {
  const id = await created({ cdlc_id: await aList(on) });
  const group = await aGroup(on, 'east');
  const asked = {
    name: 'Renamed',
    detail: 'by hand',
    group_id: group,
    model: true,
    priority: 7,
    date_end: '2090-01-01',
    time_start: '09:00',
    calls_per_minute: 0,
    max_transfers: 2,
  };
  const { http, body } = await on.admin('PATCH', `${path}/${id}`, asked);
  const { priority: _, ...columns } = asked;
  expect([http, body]).toMatchObject([200, { ...columns, time_start: '09:00:00', group_name: 'east' }]);
  const machine = (await on.admin('GET', `/machines/a_${id}`)).body;
  expect(machine.context.plan.priority).toBe(7);
  for (const [field, wrong] of [
    ['group_id', { group_id: await aGroup(on, 'theirs', stranger) }],
    ['date_end', { date_end: '2020-01-01' }],
    ['time_end', { time_end: '08:00' }],
    ['calls_per_minute', { calls_per_minute: -1 }],
    ['pace', { pace: 3 }],
  ])
    expect([wrong, await on.admin('PATCH', `${path}/${id}`, wrong as object)]).toMatchObject([
      wrong,
      { http: 400, body: { field } },
    ]);
});

test('a campaign of an account that is switched off is explained so, in the language that is asked for', async () => {
  const list = await aList(on, { numbers: numbers(600, 1) });
  const hours = { date_start: '2090-01-01', date_end: '2090-01-02' };
  const id = await created({ cdlc_id: list, vel: 60, cp_ativo: 1, ...hours });
  const explained = async (query = ''): Promise<string> =>
    (await on.admin('GET', `/machines/${id}/explain?account=${demoAccount}${query}`)).body.sentences.join(
      ' ',
    );
  await on.admin('PATCH', `/accounts/${demoAccount}`, { active: false });
  try {
    const said = await explained();
    expect(said).toContain('the account is switched off: nothing is dialled for it. Switch the account on.');
    expect(said).not.toContain('calls a minute');
    expect(said).not.toContain('goes on by itself');
    expect(await explained('&lang=pt')).toContain('a conta está desativada: nada é discado para ela');
  } finally {
    await on.admin('PATCH', `/accounts/${demoAccount}`, { active: true });
  }
});

test('a campaign whose reseller is switched off calls nobody, and is explained so', async () => {
  const reseller = (await on.admin('POST', '/accounts', { name: 'Above', active: false })).body.cdcs_id;
  const id = await created({ cdlc_id: await aList(on, { numbers: numbers(700, 2) }) });
  try {
    await on.admin('PATCH', `/accounts/${demoAccount}`, { reseller_id: reseller });
    await on.admin('PATCH', `${path}/${id}`, { active: true });
    const machine = async () => (await on.admin('GET', `/machines/a_${id}?account=${demoAccount}`)).body;
    const events = async (): Promise<string[]> =>
      (await machine()).history.map((entry: { event: string }) => entry.event);
    await expect.poll(events).toContain('destinationsFound');
    expect((await on.admin('GET', `${path}/${id}`)).body).toMatchObject({ made: 0, ended: 0 });
    const { sentences } = (await on.admin('GET', `/machines/${id}/explain?account=${demoAccount}`)).body;
    expect(sentences.join(' ')).toContain(
      `its reseller ${reseller} is switched off: nothing is dialled for the account. Switch that reseller on.`,
    );
  } finally {
    await on.admin('PATCH', `/accounts/${demoAccount}`, { reseller_id: null });
    await on.admin('PATCH', `${path}/${id}`, { active: false });
  }
});
