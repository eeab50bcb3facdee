/** How often caller ids were shown, as rows: no limit is passed by calls that ask at the same moment, and an hour is forgotten. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRecentCallerIdUses, takeCallerId } from '../../src/store/callerIdUses.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';

let on: TestDatabase;
beforeEach(async () => {
  on = await freshDatabase();
});
afterEach(() => on.drop());

const minute = 60_000;
const noon = Date.parse('2026-11-27T15:00:30Z');
const [one, other] = ['551130001000', '551130001001'];

/** Takes the one that has the fewest, unless all have `limit`. */
const take = async (at: number, limit: number, account = 3): Promise<string | undefined> => {
  let chosen: string | undefined;
  await takeCallerId(on.pool, { account, at }, (uses) => {
    const callsOf = (id: string): number => uses.get(id)?.calls ?? 0;
    chosen = [one, other].filter((id) => callsOf(id) < limit).toSorted((a, b) => callsOf(a) - callsOf(b))[0];
    return chosen;
  });
  return chosen;
};

test('calls that ask at the same moment take turns, and pass no limit', async () => {
  const taken = await Promise.all(Array.from({ length: 30 }, () => take(noon, 10)));
  expect(taken.filter((id) => id === one)).toHaveLength(10);
  expect(taken.filter((id) => id === other)).toHaveLength(10);
  expect(taken.filter((id) => id === undefined)).toHaveLength(10);
});

test('what was shown counts for an hour, and its row is gone after it', async () => {
  expect(await take(noon, 1)).toBe(one);
  expect(await take(noon + 20 * minute, 1)).toBe(other);
  const { freeAt } = (await readRecentCallerIdUses(on.pool, { account: 3, at: noon + minute })).get(one)!;
  expect(freeAt - noon).toBeGreaterThanOrEqual(60 * minute);
  expect(freeAt - noon).toBeLessThanOrEqual(61 * minute);
  expect(await take(freeAt - 1, 1)).toBeUndefined();
  expect(await take(freeAt, 1)).toBe(one);
  expect((await on.pool.query('SELECT caller_id, calls FROM caller_id_uses ORDER BY minute')).rows).toEqual([
    { caller_id: other, calls: 1 },
    { caller_id: one, calls: 1 },
  ]);
});

test('each account counts its own', async () => {
  expect(await take(noon, 1, 3)).toBe(one);
  expect(await take(noon, 1, 4)).toBe(one);
  expect([...(await readRecentCallerIdUses(on.pool, { account: 5, at: noon })).keys()]).toEqual([]);
});

test('a choice that throws counts nothing, and holds up no other', async () => {
  const broken = takeCallerId(on.pool, { account: 3, at: noon }, () => {
    throw new Error('no');
  });
  await expect(broken).rejects.toThrow('no');
  expect(await take(noon, 1)).toBe(one);
});
