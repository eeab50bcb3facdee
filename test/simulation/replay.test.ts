import { expect, it } from 'vitest';
import { withDatabase } from '../helpers/database.ts';
import { replay } from './replay.ts';
import { simulate } from './simulate.ts';

it('leaves on PostgreSQL, row by row, what it left in memory', async () => {
  const { database, deeds, kinds, violations } = await simulate(
    { seed: 3, calls: 60, setbacks: 'never' },
    true,
  );
  expect(violations).toEqual([]);
  expect(deeds.length).toBeGreaterThan(1_000);
  await withDatabase(async ({ pool }) => {
    expect(await replay(pool, kinds, deeds, database.tables)).toEqual([]);
  });
});
