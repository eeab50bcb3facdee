/** Upkeep of the history's partitions: one a day (UTC, counted from the epoch), made ahead and dropped when old. */
import type { ClientBase, Pool, PoolClient } from 'pg';

const dayMs = 86_400_000;
const daysAhead = 7;
/** Upkeep waits no longer than this for who reads the history: every commit stands behind it meanwhile. */
const lockTimeout = '400ms';
const lockNotAvailable = '55P03';
/** Any number of our own: two nodes never do this work on one database at once. */
const upkeepLock = 72_707_370;

export interface HistoryPartitionOptions {
  /** Database time, epoch milliseconds. */
  now: number;
  /** For how many days a step stays readable; today counts. Infinity: nothing is dropped. */
  keepDays: number;
}

export interface HistoryPartitionChanges {
  made: number[];
  dropped: number[];
}

/**
 * Makes the partitions of today and the next seven days and drops those past their time. To be run at start and once
 * or more a day; several nodes may do so at once: one works, the others return with nothing done. So does one that finds
 * a long reader, such as a dump: the partitions of a week are there, and the next run tries again.
 */
export async function maintainHistoryPartitions(
  pool: Pool,
  { now, keepDays }: HistoryPartitionOptions,
): Promise<HistoryPartitionChanges> {
  const today = Math.floor(now / dayMs);
  const client = await pool.connect();
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = '${lockTimeout}'`);
    const changes = (await isOurTurn(client))
      ? await change(client, today, today - keepDays + 1)
      : { made: [], dropped: [] };
    await client.query('COMMIT');
    client.release();
    return changes;
  } catch (error) {
    client.release(true);
    if ((error as { code?: string }).code === lockNotAvailable) return { made: [], dropped: [] };
    throw error;
  }
}

/** Per schema: shards may share a database. */
async function isOurTurn(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ ours: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1, hashtext(current_schema())) AS ours',
    [upkeepLock],
  );
  return rows[0]?.ours === true;
}

async function change(client: PoolClient, today: number, oldest: number): Promise<HistoryPartitionChanges> {
  const days = await existingDays(client);
  const dropped = days.filter((day) => day < oldest);
  const made = Array.from({ length: daysAhead + 1 }, (_, ahead) => today + ahead).filter(
    (day) => !days.includes(day),
  );
  for (const day of dropped) await client.query(`DROP TABLE history_d${day}`);
  for (const day of made) await createHistoryPartition(client, day);
  if (Number.isFinite(oldest)) await client.query('DELETE FROM history_default WHERE day < $1', [oldest]);
  return { made, dropped };
}

async function existingDays(client: PoolClient): Promise<number[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'history'::regclass AND relname ~ '^history_d[0-9]+$' ORDER BY length(relname), relname`,
  );
  return rows.map(({ name }) => Number(name.slice('history_d'.length)));
}

/** Entries of the day may come to the default partition after it was looked through: then it is looked through again. */
const attachTries = 5;
const violatesDefault = '23514';

/**
 * Makes the partition of a day in the schema that the connection searches, within a transaction. Built beside the history
 * and attached: entries of that day that went to the default partition move along.
 */
export async function createHistoryPartition(client: ClientBase, day: number): Promise<void> {
  await client.query(`CREATE TABLE history_d${day} (LIKE history INCLUDING ALL)`);
  for (let tries = 1; ; tries += 1) {
    await client.query('SAVEPOINT attaching');
    try {
      await attachPartition(client, day);
      await client.query('RELEASE SAVEPOINT attaching');
      return;
    } catch (error) {
      if (tries === attachTries || (error as { code?: string }).code !== violatesDefault) throw error;
      await client.query('ROLLBACK TO SAVEPOINT attaching');
    }
  }
}

async function attachPartition(client: ClientBase, day: number): Promise<void> {
  await client.query(`WITH moved AS (DELETE FROM history_default WHERE day = ${day} RETURNING *)
    INSERT INTO history_d${day} SELECT * FROM moved`);
  await client.query(
    `ALTER TABLE history ATTACH PARTITION history_d${day} FOR VALUES FROM (${day}) TO (${day + 1})`,
  );
}
