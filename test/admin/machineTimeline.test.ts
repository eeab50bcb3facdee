/** Moments of a machine, and the pages of its timeline that come with them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

const later = 250;
let on: TestService;
let id: string;
let count: number;

beforeAll(async () => {
  on = await startTestService({ SANDBOX_SPEED: '50' });
  ({ cd_id: id } = (await on.post('MakeTTSCall', { dest: '11987650012', text: 'Oi' })).body.return);
  await on.ended(id);
  await on.database.pool.query(
    `INSERT INTO history (account_id, machine_id, revision, day, at, event, payload, state, asked)
     SELECT account_id, id, 1000 + nth, $3::bigint / 86400000, $3::bigint + nth, 'noted', '{"type":"noted"}', state, ''
     FROM machines, generate_series(1, $4::int) nth WHERE account_id = $1 AND id = $2`,
    [demoAccount, id.split('_')[1], Date.now(), later],
  );
  ({ count } = await moment(''));
});
afterAll(() => on.stop());

interface Moment {
  count: number;
  index: number;
  timeline: { from: number; rows: { index: number }[] }[];
}

const moment = async (query: string): Promise<Moment> =>
  (await on.admin('GET', `/machines/${id}/moment?${query}`)).body;
const pages = async (query: string): Promise<number[]> =>
  (await moment(query)).timeline.map(({ from }) => from);

test('a moment brings no rows that were not asked for', async () => {
  for (const query of ['', 'rows=0', 'rows=-1', 'rows=x', 'rows=1e3'])
    expect([query, (await moment(query)).timeline]).toEqual([query, []]);
});

test('the pages around a moment are those that the timeline sends', async () => {
  const { timeline, index } = await moment('rows=30');
  expect([index, timeline.at(-1)!.rows.at(-1)!.index]).toEqual([count - 1, count - 1]);
  for (const { from, rows } of timeline)
    expect(rows).toEqual((await on.admin('GET', `/machines/${id}/timeline?from=${from}`)).body.rows);
});

test.each([
  ['index=0&rows=30', [0]],
  ['index=0&rows=100', [0, 100]],
  ['index=69&rows=30', [0]],
  ['index=70&rows=30', [0, 100]],
  ['index=130&rows=30', [100]],
  ['index=129&rows=30', [0, 100]],
  ['index=150&rows=100', [0, 100, 200]],
  ['index=150&rows=99999999', [0, 100, 200]],
  ['revision=1&rows=1', [0]],
])('%s: %j', async (query, expected) => {
  expect(await pages(query)).toEqual(expected);
});
