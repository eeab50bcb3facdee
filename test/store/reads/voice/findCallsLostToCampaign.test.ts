import { afterAll, beforeAll, expect, it } from 'vitest';
import { findCallsLostToCampaign } from '../../../../src/store/reads/voice/findCallsLostToCampaign.ts';
import { freshDatabase, type TestDatabase } from '../../../helpers/database.ts';

const ACCOUNT = 7;
const CAMPAIGN = 31;

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const aCall = (id: number, endedAt: number | null, account = ACCOUNT) =>
  database.pool.query(
    `INSERT INTO machines (account_id, id, kind, version, revision, state, snapshot, held_by, step_id, created_at, ended_at)
     VALUES ($1, $2, 'call', 1, 1, 'clearing', '{}', 1, 1, 0, $3)`,
    [account, id, endedAt],
  );
const aWord = (id: number, call: number, machine = CAMPAIGN) =>
  database.pool.query(
    'INSERT INTO inbox (account_id, machine_id, id, event, at) VALUES ($1, $2, $3, $4, 0)',
    [...[ACCOUNT, machine, id, JSON.stringify({ type: 'callEnded', call, was: 'idle' })]],
  );

it('are those that have ended or are gone, once every word of theirs was heard', async () => {
  const [living, ended, unheard, elsewhere, gone, goneUnheard] = [101, 102, 103, 104, 105, 106];
  await aCall(living, null);
  await aCall(ended, 5);
  await aCall(unheard, 5);
  await aCall(elsewhere, null, 8);
  await aWord(1, unheard);
  await aWord(2, goneUnheard);
  await aWord(3, ended, 32);
  const calls = [living, ended, unheard, elsewhere, gone, goneUnheard];
  const found = await findCallsLostToCampaign(database.pool, { account: ACCOUNT, campaign: CAMPAIGN, calls });
  expect(found.toSorted((one, other) => one - other)).toEqual([ended, elsewhere, gone]);
});
