/** Many machines out of one that an engine wrote: rows of exactly the shape the engine writes, in seconds. */
import { execFileSync } from 'node:child_process';
import type { Pool } from 'pg';
import { ACCOUNT } from './node.ts';

/** Due times that are spread evenly: the first is at `from`, epoch milliseconds. */
export interface Schedule {
  from: number;
  perSecond: number;
  /** How many of the copies; the others keep the original's due time. */
  copies: number;
}

/**
 * Copies a machine that holds a call record or not; copy n has the id `id - n`. With a schedule the original must owe
 * exactly one thing, whose due time then moves.
 */
export const cloneMachine = async (
  pool: Pool,
  id: number,
  copies: number,
  schedule: Schedule = { from: 0, perSecond: 1, copies: 0 },
): Promise<void> => {
  await pool.query(
    `INSERT INTO machines (account_id, id, kind, version, revision, state, milestones, snapshot, agenda, wake_at,
       held_by, step_id, attention, created_at, ended_at)
     SELECT account_id, m.id - n, kind, version, revision, state, milestones,
       replace(snapshot::text, m.id::text, (m.id - n)::text)::json, replace(agenda, wake_at::text, due::text), due,
       held_by, step_id, attention, created_at, ended_at
     FROM machines m, generate_series(1, $3::int) AS n,
       LATERAL (SELECT CASE WHEN n <= $6::int THEN $4::bigint + n * 1000 / $5::int ELSE wake_at END AS due) AS d
     WHERE account_id = $1 AND m.id = $2`,
    [ACCOUNT, id, copies, schedule.from, schedule.perSecond, schedule.copies],
  );
  await pool.query(
    `INSERT INTO calls SELECT (jsonb_populate_record(c, jsonb_build_object('id', c.id - n))).*
     FROM calls c, generate_series(1, $3::int) AS n WHERE account_id = $1 AND c.id = $2`,
    [ACCOUNT, id, copies],
  );
  await pool.query('VACUUM ANALYZE machines, calls');
  // What was loaded is on the disk before anything is measured: else the system writes it in the middle of that.
  execFileSync('sync');
};

/** Whether none of an incarnation’s unfinished machines is left with it. */
export const isEmptied = async (pool: Pool, incarnation: number): Promise<boolean> => {
  const { rowCount } = await pool.query(
    'SELECT FROM machines WHERE held_by = $1 AND ended_at IS NULL LIMIT 1',
    [incarnation],
  );
  return rowCount === 0;
};
