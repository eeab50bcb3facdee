import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  deleteExpiredNightMessageBalances,
  openNightlyMessageAllowance,
} from '../../src/store/nightMessageAllowance.ts';
import { openDatabasePool } from '../../src/store/pool.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';

let on: TestDatabase;
beforeAll(async () => {
  on = await freshDatabase();
});
afterAll(() => on.drop());

const night = { account: 3, date: '2026-11-20', cap: 5, firstId: 100, until: 1_000 };
const balances = async () =>
  (await on.pool.query('SELECT name, amount::int AS amount FROM balances WHERE account_id = 3 ORDER BY name'))
    .rows;
const messageAt = (id: number, channel = 'sms', account = 3) =>
  on.pool.query(
    `INSERT INTO messages (account_id, id, created_at, channel, destination, state) VALUES ($1, $2, 0, $3, '', 'x')`,
    [account, id, channel],
  );

test('a balance of the night begins with what was sent in it, is made once, and is forgotten in time', async () => {
  await messageAt(99);
  await messageAt(100);
  await messageAt(101, 'msgapp');
  await messageAt(102, 'sms', 4);
  // Those of one pool ask once; those of several, as of several nodes, make it at the same moment.
  const pools = Array.from({ length: 8 }, () => openDatabasePool(on, {}));
  const made = await Promise.all(
    [...pools, ...pools].map((pool) => openNightlyMessageAllowance(pool, night)),
  );
  await Promise.all(pools.map((pool) => pool.end()));
  expect(new Set(made.map(({ balance }) => balance))).toEqual(new Set(['night 2026-11-20 5']));
  expect(await balances()).toEqual([{ name: 'night 2026-11-20 5', amount: 4 }]);
  expect(await openNightlyMessageAllowance(on.pool, night)).toEqual({
    balance: 'night 2026-11-20 5',
    left: 4,
  });
  expect((await openNightlyMessageAllowance(on.pool, { ...night, cap: 0 })).left).toBe(0);
  await on.pool.query(`INSERT INTO balances (account_id, name, amount) VALUES (3, 'balance', 7)`);
  await deleteExpiredNightMessageBalances(on.pool, 1_000);
  expect(await balances()).toHaveLength(3);
  await deleteExpiredNightMessageBalances(on.pool, 1_001);
  expect(await balances()).toEqual([{ name: 'balance', amount: 7 }]);
});
