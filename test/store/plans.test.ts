/** Which way the server finds rows: statements of every commit and request must not read more the more there is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { machineKinds } from '../../machines/index.ts';
import { openCommitPool } from '../../src/store/pool.ts';
import { postgresStore } from '../../src/store/postgresShardStore.ts';
import { readClaimedKeyAnswer } from '../../src/store/reads/claims.ts';
import { loadMessageOutcome } from '../../src/store/reads/sms/submissionOutcomeAndFollowedCall.ts';
import { createCommitStatementBuilder } from '../../src/store/sql/commit.ts';
import { freshDatabase, type TestDatabase, withDatabase } from '../helpers/database.ts';
import { aBitOfEverything, at, aWrite } from './writes.ts';

/** How each table is read by a statement, as it is planned for any values: `messages_pkey`, or `all of messages`. */
const waysOf = async (pool: Pool, text: string): Promise<Set<string>> => {
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  return new Set([
    ...[...plan.matchAll(/(?:Index (?:Only )?Scan using|Bitmap Index Scan on) (\w+)/g)].map(
      ([, index]) => index!,
    ),
    ...[...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table]) => `all of ${table}`),
  ]);
};

/** The account's messages, claims and machines, so many of each. */
const fill = async ({ pool }: TestDatabase, count: number): Promise<void> => {
  await pool.query(
    `INSERT INTO messages (account_id, id, created_at, channel, destination, state, correlation, provider_id)
     SELECT 7, n, 0, 'sms', 'd' || n, 'x', '', '' FROM generate_series(1000, 999 + $1::int) AS n`,
    [count],
  );
  await pool.query(
    `INSERT INTO claims (account_id, key, until, owner) SELECT 7, 'c' || n, $2, n FROM generate_series(1, $1::int) AS n`,
    [count, at + 60_000],
  );
};

describe.each([
  ['fresh', 0],
  ['looked at while it was small', 3],
  ['looked at when it was filled', 5_000],
])('in a database that is %s', (_, count) => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await freshDatabase({ byIndex: true });
    if (count === 0) return;
    await fill(db, count);
    await db.pool.query('ANALYZE');
  });
  afterAll(() => db.drop());

  test('a commit finds every row by its primary key', async () => {
    const writers = openCommitPool(db, {});
    const ways = [
      ...(await waysOf(writers, createCommitStatementBuilder(machineKinds)(aBitOfEverything(), at).text)),
    ];
    await writers.end();
    expect(ways.length).toBeGreaterThan(5);
    expect(ways).toEqual(ways.map(() => primary));
  });

  test('so does what is asked for all day', async () => {
    const texts: string[] = [];
    const listening = {
      query: ({ text, values }: { text: string; values: unknown[] }) => {
        texts.push(text);
        return db.pool.query(text, values);
      },
    } as unknown as Pool;
    await loadMessageOutcome(listening, { account: 7, id: 1 });
    await readClaimedKeyAnswer(listening, 7, 'k', at);
    const store = postgresStore(listening, listening, machineKinds);
    await store.claims([{ account: 7, key: 'k' }], at);
    await store.read([{ account: 7, id: 1 }]);
    await store.inbox(5, 500);
    // The inbox is read whole: what is in it is brought, and is gone.
    const ways = await Promise.all(texts.map(async (text) => [...(await waysOf(db.pool, text))]));
    expect(ways).toEqual([[primary], [primary], [primary], [primary], ['machines_pkey', 'all of inbox']]);
  });
});

test('a commit is planned once, also after the server has looked at the tables anew', () =>
  withDatabase(async (db) => {
    const writers = openCommitPool(db, {});
    const connection = await writers.connect();
    const build = createCommitStatementBuilder(machineKinds);
    const commit = (id: number) => connection.query(build([aWrite(id)], at));
    for (let id = 1; id <= 10; id += 1) await commit(id);
    await fill(db, 5_000);
    await db.pool.query('ANALYZE');
    for (let id = 11; id <= 20; id += 1) await commit(id);
    const { rows } = await connection.query(
      'SELECT generic_plans::int AS once, custom_plans::int AS again FROM pg_prepared_statements',
    );
    connection.release();
    await writers.end();
    expect(rows).toEqual([{ once: 20, again: 0 }]);
  }));

const primary = expect.stringMatching(/_pkey$/) as string;

const accountsIn = async (pool: Pool): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await pool.query<{ table: string; distinct: number }>(
    `SELECT tablename AS table, n_distinct AS distinct FROM pg_stats
     WHERE schemaname = 'public' AND attname = 'account_id' AND tablename NOT LIKE 'history%'`,
  );
  return new Map(rows.map(({ table, distinct }) => [table, distinct]));
};

test('a fresh database is told that few accounts have most rows, and one that knows its rows is not', () =>
  withDatabase(async ({ pool }) => {
    const told = await accountsIn(pool);
    expect([...told.keys()]).toEqual(
      expect.arrayContaining([
        'calls',
        'campaigns',
        'claims',
        'deliveries',
        'ledger',
        'machines',
        'messages',
      ]),
    );
    expect(new Set(told.values())).toEqual(new Set([1]));
    await pool.query(
      `INSERT INTO claims (account_id, key, until, owner) SELECT n % 40, n, 0, n FROM generate_series(1, 4000) AS n`,
    );
    await pool.query('ANALYZE claims');
    await pool.query(firstStatistics);
    expect((await accountsIn(pool)).get('claims')).toBe(40);
    expect((await accountsIn(pool)).get('messages')).toBe(1);
  }));

const firstStatistics = readFileSync(
  join(import.meta.dirname, '../../prisma/migrations/20261123045500_first_statistics/migration.sql'),
  'utf8',
);
