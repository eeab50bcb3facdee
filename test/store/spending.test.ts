/** What the calls of a day cost, as rows: what several processes add is summed up, and days that are over are forgotten. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DailyCallCost } from '../../src/rules/trunks/spent.ts';
import { addAndReadCallSpending } from '../../src/store/spending.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';

let on: TestDatabase;
beforeEach(async () => {
  on = await freshDatabase();
});
afterEach(() => on.drop());

const of = (units: number, more: Partial<DailyCallCost> = {}): DailyCallCost => ({
  ...{ owner: 'trunk', id: 1, day: '2026-11-27', units },
  ...more,
});
const exchange = (...added: DailyCallCost[]) => addAndReadCallSpending(on.pool, added, '2026-11-25');

test('what two processes add at the same moment is summed up, and both see it all', async () => {
  await Promise.all(Array.from({ length: 20 }, () => exchange(of(7), of(3, { owner: 'account', id: 3 }))));
  const all = await exchange();
  expect(all.toSorted((one, other) => other.units - one.units)).toEqual([
    of(140),
    of(60, { owner: 'account', id: 3 }),
  ]);
  expect(await exchange(of(1))).toEqual(
    expect.arrayContaining([of(141), of(60, { owner: 'account', id: 3 })]),
  );
});

test('days that are over are forgotten', async () => {
  await exchange(of(5, { day: '2026-11-24' }), of(6));
  await exchange();
  const { rows } = await on.pool.query('SELECT day FROM spending');
  expect(rows).toEqual([{ day: '2026-11-27' }]);
});
