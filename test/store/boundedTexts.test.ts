import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/store/migrate.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { listMigrations } from '../../src/store/listMigrations.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

/** Columns of text that stand in an index, whichever. */
const indexed = async (): Promise<{ table: string; column: string; bound: string | null }[]> => {
  const { rows } = await database.pool.query(
    `SELECT DISTINCT c.relname AS table, a.attname AS column, pg_get_constraintdef(k.oid) AS bound
      FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(x.indkey::int[])
      JOIN pg_type t ON t.oid = a.atttypid
      LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'c' AND a.attnum = ANY(k.conkey)
        AND k.convalidated
      WHERE c.relnamespace = 'public'::regnamespace AND t.typcategory = 'S' AND c.relname <> '_prisma_migrations'
      ORDER BY 1, 2`,
  );
  return rows;
};

const bounds = /^CHECK \(\((octet_)?length\(\w+\) <= \d{2,4}\)\)$/;

test('every text that stands in an index is bounded by its table', async () => {
  const columns = await indexed();
  expect(columns.length).toBeGreaterThan(20);
  for (const { table, column, bound } of columns)
    expect([table, column, bound]).toEqual([table, column, expect.stringMatching(bounds)]);
});

test('a text that is too long is refused as such, and not as a row that fits no index', async () => {
  const insert = `INSERT INTO claims (account_id, key, until, owner) VALUES (1, $1, 0, 'x')`;
  const noise = randomBytes(4_500).toString('hex');
  await expect(database.pool.query(insert, [noise])).rejects.toMatchObject({ code: '23514' });
});

test('rows with longer texts survive the migration, and no such row is written after it', async () => {
  const old = await freshDatabase({ migrated: false });
  try {
    const all = listMigrations();
    const first = all.findIndex(({ name }) => name.includes('bounded_texts'));
    await migrate(old.pool, 'public', all.slice(0, first));
    // An index takes what can be compressed.
    const insert = `INSERT INTO claims (account_id, key, until, owner) VALUES (1, $1, 0, 'x')`;
    await old.pool.query(insert, ['a'.repeat(3_000)]);
    expect(await migrate(old.pool)).toEqual(all.slice(first).map(({ name }) => name));
    expect((await old.pool.query('SELECT count(*)::int AS n FROM claims')).rows).toEqual([{ n: 1 }]);
    await expect(old.pool.query(insert, ['b'.repeat(1_025)])).rejects.toMatchObject({ code: '23514' });
    await old.pool.query(insert, ['b'.repeat(1_024)]);
  } finally {
    await old.drop();
  }
});
