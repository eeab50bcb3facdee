/** Campaigns as the console makes and watches them: a list by file, mended; made, closed, made again; figures; results. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aList, anAsset, anId } from '../helpers/campaigns.ts';
import {
  adminToken,
  demoAccount,
  type RestAnswer,
  startTestService,
  type TestService,
} from '../helpers/service.ts';

let on: TestService;
let content: string;
let stranger: number;
let operator: Record<string, string>;
beforeAll(async () => {
  on = await startTestService();
  content = await anAsset(on);
  stranger = (await on.admin('POST', '/accounts', { name: 'Stranger' })).body.cdcs_id;
  const { key } = (await on.admin('POST', '/operators', { name: 'Ana', role: 'operator' })).body;
  operator = { authorization: `Bearer ${key}` };
});
afterAll(() => on.stop());

const path = `/accounts/${demoAccount}`;

/** The sandbox answers 00, 01 is busy, nobody answers 02. */
const numbers = (ends: readonly string[]): string[] =>
  ends.map((end, n) => `55119${String(87_650_000 + 100 * n + Number(end))}`);

const upload = async (text: string, query = ''): Promise<RestAnswer> => {
  const answer = await fetch(`${on.url}/admin/api${path}/lists${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'Content-Type': 'text/csv' },
    body: text,
  });
  return { http: answer.status, headers: answer.headers, body: await answer.json() };
};

const made = async (given: object): Promise<number> => {
  const asked = { name: `campaign ${anId()}`, content, ...given };
  const { http, body } = await on.admin('POST', `${path}/campaigns`, asked);
  expect([http, body.error]).toEqual([201, undefined]);
  return body.cp_id;
};

/** Of one field, over all rows. */
const sum = (rows: readonly Record<string, number>[], key: string) =>
  rows.reduce((total, row) => total + row[key]!, 0);

const shown = async (id: number) => (await on.admin('GET', `/campaigns/${id}`)).body;

const over = async (id: number, state = 'completed') => {
  await expect.poll(async () => (await shown(id)).state).toBe(state);
  return shown(id);
};

test('a list is made of a file; what was refused is corrected and taken under its row', async () => {
  const file = 'phone;name;extra1\n11987650000;Ana;1\n123;Bia;2\n11987650002;Caio;3\nx;Davi;4\n';
  const { http, body: list } = await upload(file, '?name=March&file=march.csv');
  expect([http, list]).toMatchObject([
    201,
    { cdlc_name: 'March', cdlc_file: 'march.csv', cdlc_num: 2, rejected: 2 },
  ]);
  const rejects = (await on.admin('GET', `${path}/lists/${list.cdlc_id}/rejects`)).body.rejects;
  expect(rejects).toEqual([
    { row: 2, line: 3, reason: 'phone is not a telephone number', content: '123;Bia;2' },
    { row: 4, line: 5, reason: 'phone is not a telephone number', content: 'x;Davi;4' },
  ]);

  const records = [
    { row: 2, phone: '(11) 98765-0007', name: 'Bia Å', extra1: 'a\tb\\c' },
    { row: 4, phone: 'still none', name: 'Davi' },
    { row: 1, phone: '11987650009', name: 'not among the refused' },
  ];
  const mended = await on.admin('POST', `${path}/lists/${list.cdlc_id}/mended`, { records });
  expect([mended.http, mended.body]).toMatchObject([
    200,
    {
      mended: 1,
      list: { cdlc_num: 3, rejected: 1 },
      rejects: [{ row: 4, line: 5, reason: 'phone is not a telephone number', content: 'still none;Davi' }],
    },
  ]);
  const { rows } = await on.database.pool.query(
    'SELECT row, numbers, name, extra_1 FROM list_records WHERE list_id = $1 ORDER BY row',
    [list.cdlc_id],
  );
  expect(rows).toEqual([
    { row: 1, numbers: '5511987650000', name: 'Ana', extra_1: '1' },
    { row: 2, numbers: '5511987650007', name: 'Bia Å', extra_1: 'a\tb\\c' },
    { row: 3, numbers: '5511987650002', name: 'Caio', extra_1: '3' },
  ]);
  const again = await on.admin('POST', `/accounts/${stranger}/lists/${list.cdlc_id}/mended`, { records });
  expect(again.http).toBe(404);
});

test('a file of which every row is refused makes a list that can be mended', async () => {
  const { http, body: list } = await upload('phone\nx\n11 98765\n', '?name=Odd');
  expect([http, list]).toMatchObject([201, { cdlc_name: 'Odd', cdlc_num: 0, rejected: 2 }]);
  const asked = await on.admin('POST', `${path}/campaigns`, { content, cdlc_id: list.cdlc_id });
  expect([asked.http, asked.body]).toMatchObject([
    400,
    { code: '251', error: `the list ${list.cdlc_id} holds no record that can be called` },
  ]);
  const records = [{ row: 2, phone: '11987650002' }];
  expect((await on.admin('POST', `${path}/lists/${list.cdlc_id}/mended`, { records })).body).toMatchObject({
    mended: 1,
    list: { cdlc_num: 1, rejected: 1 },
  });
});

test('a file that holds no list is refused as the operation refuses it, and leaves nothing', async () => {
  const before = (await on.admin('GET', `${path}/lists`)).body.lists.length;
  expect(await upload('phone\n')).toMatchObject({
    http: 400,
    body: { code: '230', error: 'there are no records' },
  });
  expect((await upload('')).http).toBe(400);
  expect(await upload(`MZ${'\0'.repeat(200)}`)).toMatchObject({ http: 400, body: { code: '205' } });
  expect((await on.admin('GET', `${path}/lists`)).body.lists).toHaveLength(before);
});

test('a campaign is made by the rules and codes of CreateCampaign', async () => {
  const list = await aList(on);
  const id = await made({ cdlc_id: list, vel: 7, time_start: '09:00' });
  expect(await shown(id)).toMatchObject({
    ...{ cp_id: id, cdcs_id: demoAccount, active: false, calls_per_minute: 7, time_start: '09:00:00' },
    ...{ list: { cdlc_id: list }, destinations: 2, account: { name: 'Demo' }, attempts: 1 },
    figures: { states: [], outcomes: {}, ended: [], dialled: [] },
  });
  for (const [given, code, field] of [
    [{ cdlc_id: 99_999 }, '251', 'cdlc_id'],
    [{ cdlc_id: list, vel: 101 }, '214', 'vel'],
    [{ cdlc_id: list, content: 'tf99999' }, '240', 'content'],
    [{ cdlc_id: list, date_start: '2026-02-30' }, '220', 'date_start'],
  ] as const) {
    const refused = await on.admin('POST', `${path}/campaigns`, { content, ...given });
    expect([given, refused.http, refused.body]).toMatchObject([given, 400, { code, field }]);
  }
  expect(await on.admin('POST', `${path}/campaigns`, { nonsense: 1 })).toMatchObject({
    http: 400,
    body: { field: 'nonsense' },
  });
});

test('what an operator may not do is refused; reading is not', async () => {
  const id = await made({ cdlc_id: await aList(on) });
  for (const [method, where, body] of [
    ['POST', `${path}/campaigns`, { content }],
    ['POST', `${path}/campaigns/${id}/retry`, {}],
    ['POST', `${path}/campaigns/${id}/close`, {}],
    ['PATCH', `${path}/campaigns/${id}`, { active: true }],
    ['POST', `${path}/lists/1/mended`, { records: [] }],
  ] as const)
    expect([where, (await on.admin(method, where, body, operator)).http]).toEqual([where, 403]);
  expect((await on.admin('GET', `/campaigns/${id}`, undefined, operator)).http).toBe(200);
  expect((await on.admin('GET', '/campaigns', undefined, operator)).http).toBe(200);
});

test('campaigns of all accounts are listed newest first, in pages, by how they stand and by name', async () => {
  const list = await aList(on);
  const ids: number[] = [];
  for (let n = 0; n < 102; n += 1) ids.unshift(await made({ cdlc_id: list, name: `Paged ${n}` }));
  const first = (await on.admin('GET', '/campaigns?q=paged')).body;
  const second = (await on.admin('GET', `/campaigns?q=paged&cursor=${first.cursor}`)).body;
  const listed = [...first.campaigns, ...second.campaigns].map(({ cp_id: id }: { cp_id: number }) => id);
  expect(listed).toEqual(ids);
  expect([first.campaigns.length, second.cursor, first.accounts]).toEqual([100, null, { 3: 'Demo' }]);
  const [last] = ids;
  await on.admin('POST', `${path}/campaigns/${last}/close`, {});
  await over(last!, 'expired');
  const which = async (word: string) =>
    (await on.admin('GET', `/campaigns?q=paged&which=${word}`)).body.campaigns.map(
      ({ cp_id: id }: { cp_id: number }) => id,
    );
  expect(await which('over')).toEqual([last]);
  expect(await which('running')).not.toContain(last);
  expect(await which('model')).toEqual([]);
  expect((await on.admin('GET', `/campaigns?account=${stranger}`)).body.campaigns).toEqual([]);
});

test('the figures of a campaign are those of the database, while it goes on and when it is over', async () => {
  const list = await aList(on, { numbers: numbers(['00', '01', '02', '00', '12', '00', '01', '00']) });
  const id = await made({ cdlc_id: list, cp_ativo: 1, resends: 1, time_resends: 200 });
  const count = async (text: string) => {
    const { rows } = await on.database.pool.query<{ name: string; count: number }>(text, [id]);
    return Object.fromEntries(rows.map(({ name, count: many }) => [name, many]));
  };
  const liveStates = () =>
    count(`SELECT m.state AS name, count(*)::int AS count FROM machines m JOIN calls c ON c.id = m.id
      AND c.account_id = m.account_id WHERE c.campaign_id = $1 AND m.ended_at IS NULL GROUP BY 1`);
  // Who did not answer waits for a retry: then nothing moves, and both counts are of one moment.
  const told = async () =>
    Object.fromEntries(
      (await shown(id)).figures.states.map(({ state, count: many }: { state: string; count: number }) => [
        state,
        many,
      ]),
    );
  await expect.poll(async () => (await shown(id)).figures.states).toEqual([{ state: 'retrying', count: 3 }]);
  await expect
    .poll(async () => JSON.stringify(await told()) === JSON.stringify(await liveStates()))
    .toBe(true);
  const waiting = (await on.admin('GET', `/machines?kind=call&campaign=${id}&state=retrying`)).body.machines;
  for (const { id: call } of waiting)
    await on.admin('POST', `/machines/${call}/events`, { type: 'retryNow' });
  await over(id);
  // Figures are read once a second at most, for all who ask, and less often where a read takes long.
  await expect
    .poll(async () => {
      const { figures, ended } = await shown(id);
      return { unread: ended - sum(figures.ended, 'count'), states: figures.states };
    })
    .toEqual({ unread: 0, states: [] });
  const { figures } = await shown(id);
  const outcomes =
    await count(`SELECT status AS name, count(*)::int AS count FROM calls WHERE campaign_id = $1
    AND finished GROUP BY 1`);
  expect(figures.outcomes).toEqual({
    answered: outcomes['OK'],
    busy: outcomes['BUSY'],
    noAnswer: outcomes['NOANSWER'],
  });
  const { rows: attempts } = await on.database.pool.query<{ dials: number; answers: number }>(
    `SELECT sum(attempt)::int AS dials, count(answered_at)::int AS answers FROM calls WHERE campaign_id = $1`,
    [id],
  );
  expect([sum(figures.dialled, 'dials'), sum(figures.dialled, 'answers')]).toEqual([
    attempts[0]!.dials,
    attempts[0]!.answers,
  ]);
});

test('calls of a campaign are found by their state', async () => {
  const hours = { date_start: '2090-01-01', date_end: '2090-01-02' };
  const other = await made({ cdlc_id: await aList(on), ...hours });
  const id = await made({
    ...{ cdlc_id: await aList(on, { numbers: numbers(['01', '01']) }), cp_ativo: 1 },
    ...{ resends: 1, time_resends: 200 },
  });
  const found = async (query: string) =>
    (await on.admin('GET', `/machines?kind=call&${query}`)).body.machines.length;
  await expect.poll(() => found(`campaign=${id}&state=retrying`)).toBe(2);
  expect(await found(`campaign=${other}`)).toBe(0);
  expect((await on.admin('GET', '/machines?campaign=x')).http).toBe(400);
  await on.admin('POST', `${path}/campaigns/${id}/close`, {});
  const closed = await over(id, 'expired');
  expect([closed.active, closed.reason]).toEqual([false, 'closed']);
  await expect.poll(() => found(`campaign=${id}&state=retrying`)).toBe(0);
  expect((await on.admin('POST', `${path}/campaigns/${id}/close`, {})).http).toBe(409);
});

test('a campaign that was closed says so, and goes on when it is switched on again', async () => {
  const id = await made({ cdlc_id: await aList(on) });
  await on.admin('POST', `${path}/campaigns/${id}/close`, {});
  await over(id, 'expired');
  const { sentences } = (await on.admin('GET', `/machines/${id}/explain?account=${demoAccount}`)).body;
  expect(sentences.join(' ')).toContain('it was closed before its last day');
  await on.admin('PATCH', `${path}/campaigns/${id}`, { active: true });
  expect(await over(id)).toMatchObject({ reason: '', made: 2 });
});

test('those who did not answer are called by a campaign of their own, with their names', async () => {
  const ends = ['00', '01', '02', '00'];
  const id = await made({ cdlc_id: await aList(on, { numbers: numbers(ends) }), name: 'First', cp_ativo: 1 });
  await over(id);
  const { http, body: again } = await on.admin('POST', `${path}/campaigns/${id}/retry`, {});
  expect([http, again]).toMatchObject([201, { name: 'First 2', active: false, destinations: 2 }]);
  const { destinations } = (await on.admin('GET', `${path}/campaigns/${again.cp_id}/destinations`)).body;
  expect(destinations.map((one: { numbers: string; name: string }) => [one.numbers, one.name])).toEqual([
    [numbers(ends)[1], 'person 2'],
    [numbers(ends)[2], 'person 3'],
  ]);
  // A campaign says which were made of it; a clone of such a one is none.
  const clone = await made({ cp_id: again.cp_id, name: 'Clone of it' });
  const retries = async (campaign: number) => (await on.admin('GET', `/campaigns/${campaign}`)).body.retries;
  expect(await retries(id)).toMatchObject([{ cp_id: again.cp_id, name: 'First 2' }]);
  expect([await retries(again.cp_id), await retries(clone)]).toEqual([[], []]);
  const answered = await made({ cdlc_id: await aList(on, { numbers: numbers(['00']) }), cp_ativo: 1 });
  await over(answered);
  expect((await on.admin('POST', `${path}/campaigns/${answered}/retry`, {})).http).toBe(409);
  expect((await on.admin('POST', `/accounts/${stranger}/campaigns/${id}/retry`, {})).http).toBe(404);
});

test.each([
  ['phone;name\n11987650000;Ana\n11987650001;"Bia', 'line 3: a quote is not closed'],
  ['phone;"name', 'line 1: a quote is not closed'],
])('a file that breaks is refused with the line where a person looks for it: %j', async (file, error) => {
  const { http, body } = await upload(file, '?file=broken.csv');
  expect([http, body.error]).toEqual([400, error]);
});

test('results stand with semicolons between the fields where they are asked for so', async () => {
  const id = await made({ cdlc_id: await aList(on), cp_ativo: 1 });
  await over(id);
  const results = async (query: string) =>
    fetch(`${on.url}/admin/api${path}/campaigns/${id}/results${query}`, { headers: operator });
  const answer = await results(`?delimiter=${encodeURIComponent(';')}`);
  expect(await answer.text()).toMatch(/^\uFEFF?cd_id;cd_status;/);
  const refused = await results('?delimiter=x');
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: String.raw`delimiter: must be one of ",", ";", "\t"` },
  ]);
});

test('results are a file, a line for each call, and each download is in the audit log', async () => {
  const id = await made({ cdlc_id: await aList(on), name: 'Résumé "1"', cp_ativo: 1 });
  await over(id);
  const answer = await fetch(`${on.url}/admin/api${path}/campaigns/${id}/results`, { headers: operator });
  expect([
    answer.status,
    answer.headers.get('content-type'),
    answer.headers.get('content-disposition'),
  ]).toEqual([200, 'text/csv; charset=utf-8', `attachment; filename="campaign-${id}-resume-1.csv"`]);
  const [header, ...lines] = (await answer.text()).trim().split('\r\n');
  expect(header).toMatch(/^\uFEFF?cd_id,cd_status,/);
  expect(lines).toHaveLength(2);
  expect(lines.every((line) => line.includes('person '))).toBe(true);
  const { entries } = (await on.admin('GET', '/audit?kind=change')).body;
  expect(entries[0]).toMatchObject({
    actor: expect.stringContaining('Ana'),
    action: `GET ${path}/campaigns/${id}/results`,
    cdcs_id: demoAccount,
  });
});

test('a stream tells of a campaign as it moves, to its end', async () => {
  const id = await made({ cdlc_id: await aList(on, { numbers: numbers(['00', '00']) }), cp_ativo: 1 });
  const leaving = new AbortController();
  const answer = await fetch(`${on.url}/admin/api/stream?topics=campaign:${id}`, {
    headers: operator,
    signal: leaving.signal,
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of answer.body!) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    if (/"outcomes":\{"answered":2\}/.test(text) && text.includes('"state":"completed"')) break;
  }
  leaving.abort();
  expect(text).toContain('event: campaign');
  const unknown = await fetch(`${on.url}/admin/api/stream?topics=campaign:987654`, { headers: operator });
  expect(unknown.status).toBe(404);
});

test('a campaign hears at once that its account has another time zone, paused or not', async () => {
  const id = await made({ cdlc_id: await aList(on) });
  const heard = async (): Promise<number> => {
    const { history } = (await on.admin('GET', `/machines/a_${id}?account=${demoAccount}`)).body;
    return history.filter(({ event }: { event: string }) => event === 'windowsChanged').length;
  };
  await expect.poll(async () => (await shown(id)).state).toBe('paused');
  await on.admin('PATCH', path, { time_zone: 'Europe/Lisbon' });
  expect(await heard()).toBe(1);
  await on.admin('PATCH', path, { time_zone: 'America/Sao_Paulo' });
  expect(await heard()).toBe(2);
});
