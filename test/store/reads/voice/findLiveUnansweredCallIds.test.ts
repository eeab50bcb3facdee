import { afterAll, beforeAll, expect, it } from 'vitest';
import { findLiveUnansweredCallIds } from '../../../../src/store/reads/voice/findLiveUnansweredCallIds.ts';
import { freshDatabase, type TestDatabase } from '../../../helpers/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const aCall = (id: number, answeredAt: number | null, finished: boolean, campaign = 31) =>
  database.pool.query(
    `INSERT INTO calls (account_id, id, requested_at, destination, mode, campaign_id, called_at, answered_at, finished)
     VALUES (7, $1, 0, '55', 'play', $2, 0, $3, $4)`,
    [id, campaign, answeredAt, finished],
  );

it('are those of the campaign that have neither ended nor been answered, page by page', async () => {
  await aCall(101, null, false);
  await aCall(102, 5, false);
  await aCall(103, null, true);
  await aCall(104, null, false);
  await aCall(105, null, false, 32);
  const found = (after: number, limit: number) =>
    findLiveUnansweredCallIds(database.pool, { account: 7, campaign: 31, after, limit });
  expect([await found(0, 1), await found(101, 9), await found(104, 9)]).toEqual([[101], [104], []]);
});
