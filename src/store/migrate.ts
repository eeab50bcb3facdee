/**
 * Applies `prisma/migrations` at start and records them in Prisma's own table, so that `prisma migrate` and we agree.
 * Every shard is migrated by itself; of several processes that start at once, one does it and the others wait.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Pool, type PoolClient, escapeIdentifier } from 'pg';
import { type LockRetryOptions, applyMigration, defaultLockRetry } from './applyMigration.ts';
import { type Migration, listMigrations } from './listMigrations.ts';

/** The key of Prisma's own migration lock: its CLI and we keep out of each other's way. */
const prismaLock = 72_707_369;

const table = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`;

/**
 * Brings a database to this release; returns the names of what was applied now. `schema` is made when it is missing,
 * and must be the one that the pool's connections search.
 *
 * Throws a sentence when an earlier migration failed half way, was edited after it was applied, or is one this release
 * does not know (a newer release has been here), and when one does not get its locks within `patience`.
 */
export async function migrate(
  pool: Pool,
  schema = 'public',
  migrations: Migration[] = listMigrations(),
  patience: Partial<LockRetryOptions> = {},
): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    await takeTurn(client);
    await ensureSchema(client, schema);
    await client.query(table);
    const done = await readDone(client, migrations);
    const missing = migrations.filter(({ name }) => !done.has(name));
    for (const migration of missing)
      await applyMigration(client, migration, { ...defaultLockRetry, ...patience });
    return missing.map(({ name }) => name);
  } finally {
    // The session ends here: its lock and its settings with it.
    client.release(true);
  }
}

/**
 * The names of the migrations that a database lacks, in order; undefined: it has none at all. Nothing is changed; throws
 * the sentences of `migrate`.
 */
export async function missingMigrations(
  pool: Pool,
  schema = 'public',
  migrations: Migration[] = listMigrations(),
): Promise<string[] | undefined> {
  const client = await pool.connect();
  try {
    const { rowCount } = await client.query(
      `SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = '_prisma_migrations'`,
      [schema],
    );
    if (!rowCount) return undefined;
    const done = await readDone(client, migrations);
    return migrations.filter(({ name }) => !done.has(name)).map(({ name }) => name);
  } finally {
    client.release();
  }
}

/** Longer than any migration of ours may take, and a node waits for another's. */
const turnMs = 60 * 60_000;
const turnPollMs = 200;

/**
 * Waits until no other process migrates. It asks again and again: a statement that waits is a transaction, and an index
 * made concurrently waits for the end of all transactions, so each would wait for the other.
 */
async function takeTurn(client: PoolClient): Promise<void> {
  const deadline = performance.now() + turnMs;
  for (;;) {
    const { rows } = await client.query<{ ours: boolean }>('SELECT pg_try_advisory_lock($1) AS ours', [
      prismaLock,
    ]);
    if (rows[0]?.ours) return;
    if (performance.now() > deadline)
      throw new Error('another process has held the lock of migrations for an hour: end it first');
    await pause(turnPollMs);
  }
}

/** Asked first: `IF NOT EXISTS` wants the right to create even where there is nothing to create. */
async function ensureSchema(client: PoolClient, schema: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
  if (!rowCount) await client.query(`CREATE SCHEMA ${escapeIdentifier(schema)}`);
}

async function readDone(client: PoolClient, migrations: Migration[]): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM "_prisma_migrations" WHERE rolled_back_at IS NULL`,
  );
  for (const row of rows) {
    const known = migrations.find(({ name }) => name === row.name);
    if (!row.finished)
      throw new Error(`migration ${row.name} failed earlier: resolve it first (prisma migrate resolve)`);
    if (!known)
      throw new Error(
        `the database has migration ${row.name}, which this release does not know: run a newer release`,
      );
    if (known.checksum !== row.checksum)
      throw new Error(`migration ${row.name} was edited after it was applied`);
  }
  return new Set(rows.map(({ name }) => name));
}
