/**
 * One migration, applied beside a service that goes on.
 *
 * A statement that waits for a lock keeps all others waiting that ask for the same table after it. So it waits for a
 * moment only, is taken back, and is tried again after a pause, until a long transaction of another client (a dump) is
 * over.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type PoolClient, escapeIdentifier } from 'pg';
import type { Migration } from './listMigrations.ts';

/** How often and how long a migration asks for locks, milliseconds. */
export interface LockRetryOptions {
  tries: number;
  /** After the first try; each pause is twice the one before. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** Hears why it takes so long. */
  note(line: string): void;
}

/** Thirteen minutes in all. */
export const defaultLockRetry: LockRetryOptions = {
  tries: 60,
  firstPauseMs: 500,
  longestPauseMs: 15_000,
  note: () => {},
};

/**
 * In the first line of a migration that is one `CREATE INDEX CONCURRENTLY`: it is applied outside a transaction, so that
 * the table is written to meanwhile.
 */
const outsideTransaction = '-- outside a transaction';

/** So long the table's other users stand behind us: a moment; later so long that an autovacuum gives way (1 s). */
const lockTimeoutMs = (attempt: number): number => (attempt < 5 ? 400 : 1_500);

/** An index that is made concurrently blocks no other statement, and begins from the start when it is given up. */
const indexLockTimeout = '30min';

/** Lock not available; deadlock, which PostgreSQL resolved in favour of another transaction. */
const lockCodes = new Set(['55P03', '40P01']);

const entry = `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
  VALUES ($1, $2, $3, clock_timestamp(), 1)`;

/** Applies it and writes it down, or throws a sentence that begins with its name; then nothing of it is left. */
export async function applyMigration(
  client: PoolClient,
  migration: Migration,
  patience: LockRetryOptions,
): Promise<void> {
  try {
    if (migration.sql.startsWith(outsideTransaction)) await makeIndex(client, migration);
    else await untilLocked(client, migration, patience);
  } catch (cause) {
    throw new Error(`migration ${migration.name} failed: ${(cause as Error).message}`, { cause });
  }
}

async function untilLocked(
  client: PoolClient,
  migration: Migration,
  patience: LockRetryOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(client, migration, lockTimeoutMs(attempt));
    } catch (error) {
      await client.query('ROLLBACK');
      if (!lockCodes.has((error as { code?: string }).code ?? '')) throw error;
      const holder = await oldestTransaction(client);
      if (attempt >= patience.tries) throw lockedOut(attempt, holder, error);
      patience.note(`migration ${migration.name} waits for a lock (try ${attempt}); ${holder}`);
      await pause(Math.min(patience.firstPauseMs * 2 ** (attempt - 1), patience.longestPauseMs));
    }
  }
}

/** The migration and its entry are one: a process killed in the middle leaves nothing of either. */
async function inTransaction(
  client: PoolClient,
  { sql, checksum, name }: Migration,
  timeoutMs: number,
): Promise<void> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${timeoutMs}`);
  await client.query(sql);
  await client.query(entry, [randomUUID(), checksum, name]);
  await client.query('COMMIT');
}

/** One that was given up half way is there and invalid: it is dropped. One that is whole lacks its entry only. */
async function makeIndex(client: PoolClient, { sql, checksum, name }: Migration): Promise<void> {
  const index = indexOf(sql);
  await client.query(`SET lock_timeout = '${indexLockTimeout}'`);
  try {
    const isValid = await validityOf(client, index);
    if (isValid === false) await client.query(`DROP INDEX CONCURRENTLY ${escapeIdentifier(index)}`);
    if (isValid !== true) await client.query(sql);
    await client.query(entry, [randomUUID(), checksum, name]);
  } finally {
    await client.query('RESET lock_timeout');
  }
}

/** The name of the index that the one statement makes. */
function indexOf(sql: string): string {
  const statement = sql.replaceAll(/^\s*--.*$/gm, '').trim();
  const [, quoted, plain] =
    /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:"([^"]+)"|(\w+))\s+ON\s[^;]*;?$/i.exec(statement) ??
    [];
  const name = quoted ?? plain?.toLowerCase();
  if (name === undefined)
    throw new Error(
      `what is marked "${outsideTransaction}" must be one CREATE INDEX CONCURRENTLY with a name`,
    );
  return name;
}

/** Undefined: there is no such index. */
async function validityOf(client: PoolClient, index: string): Promise<boolean | undefined> {
  const { rows } = await client.query<{ valid: boolean }>(
    `SELECT indisvalid AS valid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE relname = $1 AND relnamespace = current_schema()::regnamespace`,
    [index],
  );
  return rows[0]?.valid;
}

/** Describes the oldest transaction: most probably the one that holds the lock. */
async function oldestTransaction(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ pid: number; application: string; seconds: number }>(
    `SELECT pid, application_name AS application, extract(epoch FROM clock_timestamp() - xact_start)::int AS seconds
     FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
     ORDER BY xact_start LIMIT 1`,
  );
  const [oldest] = rows;
  if (!oldest) return 'no transaction is open any more';
  const { pid, application, seconds } = oldest;
  return `the oldest transaction is that of process ${pid} (${application || 'unnamed'}), open for ${seconds} s`;
}

const lockedOut = (tries: number, holder: string, cause: unknown): Error =>
  new Error(`it did not get its locks in ${tries} tries; ${holder}: end it, or start again later`, { cause });
