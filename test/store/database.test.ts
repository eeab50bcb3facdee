import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { assertDurableDatabase } from '../../src/store/pool.ts';
import { type TestDatabase, freshDatabase } from '../helpers/database.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

test('sessions are in UTC, carry our name and search the schema', async () => {
  const { rows } = await db.pool.query(
    `SELECT current_setting('TimeZone') AS zone, current_setting('application_name') AS name, current_schema() AS schema`,
  );
  expect(rows).toEqual([{ zone: 'UTC', name: 'ramal', schema: 'public' }]);
});

test('times and ids come as numbers from SQL and as bigint from Prisma, over one pool', async () => {
  const node = {
    incarnation: 9_007_199_254_740_991n,
    slot: 1,
    name: 'n',
    process: 'p',
    beat_at: 1n,
    started_at: 1n,
    minted_ms: 1n,
  };
  await db.prisma.node.create({ data: node });
  expect((await db.pool.query('SELECT incarnation, beat_at FROM nodes')).rows).toEqual([
    { incarnation: Number.MAX_SAFE_INTEGER, beat_at: 1 },
  ]);
  expect(await db.prisma.node.findFirst()).toMatchObject(node);
});

test('a statement that runs too long is cancelled', async () => {
  const impatient = openDatabase(db, { statementTimeoutMs: 50, maxConnections: 1 });
  await expect(impatient.pool.query('SELECT pg_sleep(30)')).rejects.toThrow('statement timeout');
  await impatient.close();
});

test('survives its connections, idle ones and those in use', async () => {
  const heard: Error[] = [];
  const frail = openDatabase(db, {
    applicationName: 'frail',
    maxConnections: 2,
    onConnectionError: (e) => heard.push(e),
  });
  const busy = await frail.pool.connect();
  await frail.pool.query('SELECT 1');
  const killed = db.pool.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'frail'`,
  );
  await expect(busy.query('SELECT pg_sleep(30)')).rejects.toThrow('terminating connection');
  busy.release(true);
  expect((await killed).rowCount).toBe(2);
  expect((await frail.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  expect(heard.map(({ message }) => message)).toEqual([expect.stringContaining('terminating connection')]);
  await frail.close();
});

test('settings of the address are kept beside ours', async () => {
  const url = new URL(db.url);
  url.searchParams.set('options', '-c work_mem=9MB');
  const other = openDatabase({ ...db, url: url.href }, { maxConnections: 1 });
  const { rows } = await other.pool.query(
    `SELECT current_setting('work_mem') AS memory, current_setting('TimeZone') AS zone`,
  );
  expect(rows).toEqual([{ memory: '9MB', zone: 'UTC' }]);
  await other.close();
});

test('a database that may forget what it confirmed is refused in a sentence', async () => {
  await assertDurableDatabase(db.pool);
  const url = new URL(db.url);
  url.searchParams.set('options', '-c synchronous_commit=off');
  const careless = openDatabase({ ...db, url: url.href }, { maxConnections: 1 });
  await expect(assertDurableDatabase(careless.pool)).rejects.toThrow('runs with synchronous_commit = off');
  await careless.close();
});
