import { afterAll, beforeAll, expect, test } from 'vitest';
import { maintainHistoryPartitions } from '../../src/store/historyPartitions.ts';
import { type TestDatabase, freshDatabase } from '../helpers/database.ts';

const day = 20_000;
const now = day * 86_400_000 + 1;
let db: TestDatabase;

beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const record = (entryDay: number) =>
  db.pool.query(
    `INSERT INTO history (account_id, machine_id, revision, day, at, event, state) VALUES (1, 1, $1, $1, 0, 'answered', 'talking') ON CONFLICT DO NOTHING`,
    [entryDay],
  );

test('makes today and seven days ahead, once', async () => {
  const ahead = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => day + n);
  expect(await maintainHistoryPartitions(db.pool, { now, keepDays: 30 })).toEqual({
    made: ahead,
    dropped: [],
  });
  expect(await maintainHistoryPartitions(db.pool, { now, keepDays: 30 })).toEqual({ made: [], dropped: [] });
  await record(day + 3);
  const { rows } = await db.pool.query(`SELECT tableoid::regclass::text AS place FROM history`);
  expect(rows).toEqual([{ place: `history_d${day + 3}` }]);
});

test('moves what had no partition yet into the one it makes', async () => {
  await record(day + 20);
  await maintainHistoryPartitions(db.pool, { now: now + 15 * 86_400_000, keepDays: 30 });
  const { rows } = await db.pool.query(
    `SELECT tableoid::regclass::text AS place FROM history WHERE day = $1`,
    [day + 20],
  );
  expect(rows).toEqual([{ place: `history_d${day + 20}` }]);
});

test('drops what is older than it is to be kept, the default partition included', async () => {
  await record(day - 5);
  const later = now + 6 * 86_400_000;
  const { dropped } = await maintainHistoryPartitions(db.pool, { now: later, keepDays: 3 });
  expect(dropped).toEqual([day, day + 1, day + 2, day + 3]);
  const { rows } = await db.pool.query('SELECT day FROM history ORDER BY day');
  expect(rows).toEqual([{ day: day + 20 }]);
});

test('drops nothing when it is to make only, however far ahead the clock is', async () => {
  const later = now + 10_000 * 86_400_000;
  expect((await maintainHistoryPartitions(db.pool, { now: later, keepDays: Infinity })).dropped).toEqual([]);
  expect((await db.pool.query('SELECT day FROM history ORDER BY day')).rows).toEqual([{ day: day + 20 }]);
});

test('several nodes at once make each partition once', async () => {
  const runs = [1, 2, 3, 4].map(() =>
    maintainHistoryPartitions(db.pool, { now: now + 40 * 86_400_000, keepDays: 300 }),
  );
  const made = (await Promise.all(runs)).flatMap((changes) => changes.made);
  expect(made.toSorted((a, b) => a - b)).toEqual([40, 41, 42, 43, 44, 45, 46, 47].map((n) => day + n));
});

test('leaves everything for the next run while somebody reads long, and lets writers pass', async () => {
  const reader = await db.pool.connect();
  await reader.query('BEGIN; SELECT FROM history');
  const at = { now: now + 400 * 86_400_000, keepDays: 3 };
  const runs = [maintainHistoryPartitions(db.pool, at)];
  for (let written = 0; written < 20; written += 1) await record(day + 40);
  expect(await Promise.all(runs)).toEqual([{ made: [], dropped: [] }]);
  await reader.query('COMMIT');
  reader.release();
  // A run that the server's own work holds up leaves it for the next one, too.
  await expect.poll(async () => (await maintainHistoryPartitions(db.pool, at)).made.length).toBe(8);
});
