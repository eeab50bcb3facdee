/** Lists that are longer than a page: read page by page while they are sent, and whole for all that. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { postTool } from '../mcp/bed.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const insert: Readonly<Record<string, string>> = {
  lists: `INSERT INTO lists (account_id, id, name, created_at) SELECT $1, n, 'List ' || n, n FROM generate_series(1, $2) n`,
  campaigns: `INSERT INTO campaigns (account_id, id, created_at, mode, list_id, definition, name, active, state,
      date_start, date_end, time_start, time_end)
    SELECT $1, n, n, 'play', 1, '{}', 'Campaign ' || n, true, 'active', '2026-11-20', '2026-11-20', '09:00', '18:00'
    FROM generate_series(1, $2) n`,
  audios: `INSERT INTO audios (account_id, id, type, created_at, expires_at)
    SELECT $1, n, 'tts', n, 32503680000000 FROM generate_series(1, $2) n`,
};
const fill = (table: string, rows: number) => on.database.pool.query(insert[table]!, [demoAccount, rows]);
afterEach(() => on.database.pool.query('TRUNCATE lists, campaigns, audios'));

describe.each([
  ['GetDestinationsList', 'lists', 'cdlc_id'],
  ['GetCampaignsList', 'campaigns', 'cp_id'],
  ['GetAudiosList', 'audios', 'cdw_file'],
])('%s', (operation, table, id) => {
  test.each([
    [0, 5_000, 0],
    [999, 1_001, 999],
    [1_000, 1_001, 1_000],
    [2_000, 2_000, 2_000],
    [2_000, 5_000, 2_000],
    [2_500, 1_500, 1_500],
    [2_500, 5_000, 2_500],
  ])('of %i rows, asked for %i, brings %i, newest first', async (rows, asked, brought) => {
    await fill(table, rows);
    const { http, body } = await on.post(operation, { maxreg: asked });
    expect(http).toBe(200);
    const found = (body[table] as Record<string, unknown>[]).map((row) =>
      Number(String(row[id]).replace('tf', '')),
    );
    expect(found).toEqual(Array.from({ length: brought }, (_, index) => rows - index));
  });
});

test('a tool puts a long list together', async () => {
  await fill('campaigns', 2_100);
  const call = { name: 'get_campaigns_list', arguments: { max_records: 5_000 } };
  const { body } = await postTool(on, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
  expect(body.result).toMatchObject({ success: true, status: 'OK' });
  expect(body.result.campaigns).toHaveLength(2_100);
});

test('a long list that cannot be read is an honest 503 or 500, not half an answer', async () => {
  await on.without('campaigns', async () => {
    expect((await on.post('GetCampaignsList', { maxreg: 5_000 })).http).toBe(500);
  });
});
