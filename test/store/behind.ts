/** A statement that comes while others are in a transaction of their own. */
import { setImmediate } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

/**
 * What becomes of `work`, which begins after `first` (a statement and its values) was done and is not committed yet: it
 * waits for that, if it must. `meanwhile`: what else the others do before they commit.
 */
export const behind = async <T>(
  pool: Pool,
  [first, ...values]: readonly [string, ...unknown[]],
  work: () => Promise<T>,
  meanwhile: (others: PoolClient) => Promise<unknown> = async () => {},
): Promise<T> => {
  const others = await pool.connect();
  try {
    await others.query('BEGIN');
    await others.query(first, values);
    let isDone = false;
    const doing = work().finally(() => (isDone = true));
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while (!isDone && (await pool.query(waiting)).rows.length === 0) await setImmediate();
    if (!isDone) await meanwhile(others);
    await others.query('COMMIT');
    return await doing;
  } finally {
    others.release();
  }
};
