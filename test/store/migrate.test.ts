import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { missingSql } from '../../prisma/tools/schemaEngine.ts';
import { openDatabase } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { type TestDatabase, freshDatabase } from '../helpers/database.ts';
import { type Migration, listMigrations } from '../../src/store/listMigrations.ts';
import { eventually } from '../helpers/patience.ts';

let db: TestDatabase;

beforeEach(async () => {
  db = await freshDatabase({ migrated: false });
});
afterEach(() => db.drop());

const migration = (name: string, sql: string, checksum = name): Migration => ({ name, sql, checksum });
const one = migration('1_one', 'CREATE TABLE one (id int PRIMARY KEY);');
const two = migration(
  '2_two',
  `CREATE FUNCTION two() RETURNS int LANGUAGE sql AS $$ SELECT 1; $$; CREATE TABLE two ();`,
);

const tables = async () =>
  (
    await db.pool.query(`SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`)
  ).rows.map(({ tablename }) => tablename);

test('applies what is missing, in order, once', async () => {
  expect(await migrate(db.pool, 'public', [one])).toEqual(['1_one']);
  expect(await migrate(db.pool, 'public', [one, two])).toEqual(['2_two']);
  expect(await migrate(db.pool, 'public', [one, two])).toEqual([]);
  expect(await tables()).toEqual(['_prisma_migrations', 'one', 'two']);
});

test('processes that start at once apply each migration once', async () => {
  const runs = [1, 2, 3].map(() => migrate(db.pool, 'public', [one, two]));
  expect((await Promise.all(runs)).flat()).toEqual(['1_one', '2_two']);
});

test('a migration that fails leaves nothing of itself, and can be tried again', async () => {
  const broken = migration('2_two', 'CREATE TABLE two (); SELECT 1/0;');
  await expect(migrate(db.pool, 'public', [one, broken])).rejects.toThrow(
    'migration 2_two failed: division by zero',
  );
  expect(await tables()).toEqual(['_prisma_migrations', 'one']);
  expect(await migrate(db.pool, 'public', [one, two])).toEqual(['2_two']);
});

test('refuses a history that this release does not have', async () => {
  await migrate(db.pool, 'public', [one, two]);
  await expect(migrate(db.pool, 'public', [one])).rejects.toThrow(
    'has migration 2_two, which this release does not know',
  );
  const edited = migration('1_one', one.sql, 'another checksum');
  await expect(migrate(db.pool, 'public', [edited, two])).rejects.toThrow(
    'migration 1_one was edited after it was applied',
  );
});

test("refuses to go on after another tool's failed migration", async () => {
  await migrate(db.pool, 'public', [one]);
  await db.pool.query('UPDATE _prisma_migrations SET finished_at = NULL');
  await expect(migrate(db.pool, 'public', [one, two])).rejects.toThrow('migration 1_one failed earlier');
});

const inSchema = (schema: string) =>
  openDatabase({ name: schema, url: db.url, schema }, { maxConnections: 2 });

test('shards may share a database, each in a schema of its own', async () => {
  const shards = [inSchema('shard_a'), inSchema('shard_b')];
  const all = listMigrations();
  for (const shard of shards) {
    expect(await migrate(shard.pool, shard.schema)).toEqual(all.map(({ name }) => name));
    await shard.pool.query(`INSERT INTO claims (account_id, key, until, owner) VALUES (1, $1, 1, 'me')`, [
      shard.name,
    ]);
  }
  for (const shard of shards) {
    expect((await shard.prisma.claim.findMany()).map(({ key }) => key)).toEqual([shard.name]);
    await shard.close();
  }
});

describe('the migrations of this release', () => {
  const schema = readFileSync(join(import.meta.dirname, '../../prisma/schema.prisma'), 'utf8');

  test('make what schema.prisma says', async () => {
    expect(
      await missingSql({ schema, migrations: listMigrations(), url: inject('serverUrl') }),
    ).toBeUndefined();
  });

  test('are found to lag behind a schema that has gained a column', async () => {
    const ahead = schema.replace('model Agent {', 'model Agent {\n  nickname String?');
    const sql = await missingSql({ schema: ahead, migrations: listMigrations(), url: inject('serverUrl') });
    expect(sql).toContain('ALTER TABLE "agents" ADD COLUMN     "nickname" TEXT');
  });
});

test('steps that change no index rewrite the row in place', async () => {
  await migrate(db.pool);
  await db.pool
    .query(`INSERT INTO machines (account_id, id, kind, version, revision, state, snapshot, held_by, step_id, created_at)
    SELECT 1, n, 'call', 1, 1, 'dialing', '{}', 7, 1, 0 FROM generate_series(1, 100) n`);
  for (let step = 0; step < 50; step += 1) {
    await db.pool.query(
      `UPDATE machines SET revision = revision + 1, state = 'talking', snapshot = '{"a":1}', step_id = 2, held_by = 7
       WHERE account_id = 1 AND id = $1`,
      [step],
    );
  }
  const stats = `SELECT n_tup_upd AS all, n_tup_hot_upd AS hot FROM pg_stat_user_tables WHERE relname = 'machines'`;
  await eventually(async () => expect((await db.pool.query(stats)).rows[0].all).toBe(49));
  // An open snapshot elsewhere may keep a page full for a moment; an index on one of the columns would leave none.
  expect((await db.pool.query(stats)).rows[0].hot).toBeGreaterThan(20);
});

describe('beside a service that goes on', () => {
  const patience = { tries: 20, firstPauseMs: 20, longestPauseMs: 100 };
  const widened = migration('2_two', 'ALTER TABLE one ADD COLUMN more int');
  const indexed = migration(
    '2_two',
    '-- outside a transaction\n-- It is read by this.\nCREATE INDEX CONCURRENTLY "one_by_id" ON "one" ("id");\n',
  );

  const validity = async () =>
    (await db.pool.query(`SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('one_by_id')`)).rows;

  /** A dump: one transaction that has read the table and goes on. */
  const reader = async () => {
    await migrate(db.pool, 'public', [one]);
    const client = await db.pool.connect();
    await client.query('BEGIN; SELECT FROM one');
    return {
      end: async () => {
        await client.query('COMMIT');
        client.release();
      },
    };
  };

  test('a migration that waits for a long reader lets the others pass, and is applied when it has ended', async () => {
    const dump = await reader();
    const heard: string[] = [];
    const running = migrate(db.pool, 'public', [one, widened], {
      ...patience,
      note: (line) => heard.push(line),
    });
    // Each of these stands behind the migration for a moment at most; before, all of them stood until the dump ended.
    for (let served = 0; served < 200 || heard.length < 3; served += 1)
      await db.pool.query('SELECT FROM one');
    expect(heard[0]).toMatch(
      /^migration 2_two waits for a lock \(try 1\); the oldest transaction is that of process \d+/,
    );
    await dump.end();
    expect(await running).toEqual(['2_two']);
  });

  test('one that never gets its lock stops with a sentence, and leaves nothing', async () => {
    const dump = await reader();
    const failed = migrate(db.pool, 'public', [one, widened], { ...patience, tries: 2 });
    await expect(failed).rejects.toThrow(
      /^migration 2_two failed: it did not get its locks in 2 tries; the oldest transaction .* end it, or start again later$/,
    );
    await dump.end();
    expect(await migrate(db.pool, 'public', [one, widened])).toEqual(['2_two']);
  });

  test('an index is made outside a transaction, while the table is written to', async () => {
    await migrate(db.pool, 'public', [one]);
    const writer = await db.pool.connect();
    await writer.query('BEGIN; INSERT INTO one VALUES (1)');
    const running = migrate(db.pool, 'public', [one, indexed]);
    await eventually(async () => expect(await validity()).toEqual([{ indisvalid: false }]));
    await db.pool.query('INSERT INTO one VALUES (2)');
    await writer.query('COMMIT');
    writer.release();
    expect(await running).toEqual(['2_two']);
    expect(await validity()).toEqual([{ indisvalid: true }]);
  });

  test('an index that was left half made is made again; one that is whole is only written down', async () => {
    await migrate(db.pool, 'public', [one]);
    await db.pool.query('CREATE INDEX one_by_id ON one (id)');
    const indexId = async () =>
      (await db.pool.query(`SELECT to_regclass('one_by_id')::oid AS id`)).rows[0].id;
    const first = await indexId();
    expect(await migrate(db.pool, 'public', [one, indexed])).toEqual(['2_two']);
    expect(await indexId()).toBe(first);
    await db.pool.query(`DELETE FROM _prisma_migrations WHERE migration_name = '2_two'`);
    await db.pool.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'one_by_id'::regclass`);
    expect(await migrate(db.pool, 'public', [one, indexed])).toEqual(['2_two']);
    expect(await indexId()).not.toBe(first);
    expect(await validity()).toEqual([{ indisvalid: true }]);
  });

  test('processes that start at once do not wait for each other while an index is made', async () => {
    const runs = [1, 2, 3].map(() => migrate(db.pool, 'public', [one, indexed]));
    expect((await Promise.all(runs)).flat()).toEqual(['1_one', '2_two']);
  });

  test('what is marked as outside a transaction and is no such index is refused', async () => {
    const marked = migration(
      '2_two',
      '-- outside a transaction\nCREATE TABLE two (); CREATE TABLE three ();',
    );
    await expect(migrate(db.pool, 'public', [one, marked])).rejects.toThrow(
      'must be one CREATE INDEX CONCURRENTLY with a name',
    );
    expect(await tables()).toEqual(['_prisma_migrations', 'one']);
  });
});
