import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetInbound, forgetRecords } from '../../src/store/retention.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';

let on: TestDatabase;
beforeAll(async () => {
  on = await freshDatabase();
});
afterAll(() => on.drop());

test('finished records below an id are forgotten in every account, and nothing else', async () => {
  await on.pool.query(
    `INSERT INTO deliveries (account_id, id, created_at, purpose, target, state, finished)
     SELECT account, id, 0, 'callback', '', 'x', id <> 7 FROM unnest(ARRAY[3, 9]) account, generate_series(1, 6000) id`,
  );
  expect(await forgetRecords(on.pool, 'deliveries', 5_999)).toBe(2 * 5_997);
  const { rows } = await on.pool.query('SELECT account_id, id::int FROM deliveries ORDER BY account_id, id');
  expect(rows).toEqual([3, 9].flatMap((account_id) => [7, 5999, 6000].map((id) => ({ account_id, id }))));
  expect(await forgetRecords(on.pool, 'calls', 5_999)).toBe(0);
});

test('what came in is forgotten by the time it came', async () => {
  await on.pool.query(
    `INSERT INTO inbound_messages (account_id, line_id, upstream_id, received_at, sent_at, contact, content_type)
     SELECT 3, 1, 'm' || at, at, 0, 'c', 'text' FROM generate_series(1, 5100) at`,
  );
  expect(await forgetInbound(on.pool, 5_100)).toBe(5_099);
  const { rows } = await on.pool.query('SELECT upstream_id FROM inbound_messages');
  expect(rows).toEqual([{ upstream_id: 'm5100' }]);
});
