import type { Pool } from 'pg';
import type { ShardStore, TakenUp } from '../../engine/store.ts';
import { literals, numbers } from './arrays.ts';

const DAY_MS = 86_400_000;

/** Gives rows of the dead (or overdue ones of the living) a new holder, each with its entry in the history. */
export const takeUp = async (
  pool: Pool,
  columns: string,
  request: Parameters<ShardStore['takeUp']>[0],
): Promise<TakenUp[]> => {
  const { dead, overdue, heldBy, stepId, at, known, limit } = request;
  const which =
    overdue === null
      ? 'held_by = ANY($1::bigint[])'
      : 'held_by <> $2 AND wake_at < $6::bigint AND NOT held_by = ANY($1::bigint[])';
  const { rows } = await pool.query<TakenUp>({
    name: overdue === null ? 'takeUpDead' : 'takeUpOverdue',
    text: `WITH due AS (
        SELECT account_id, id, held_by AS "from" FROM machines
        WHERE ${which} AND ended_at IS NULL AND kind || ':' || version = ANY($5::text[])
        LIMIT $7 FOR UPDATE SKIP LOCKED),
      taken AS (
        UPDATE machines m SET held_by = $2, step_id = $3, revision = m.revision + 1 FROM due
        WHERE m.account_id = due.account_id AND m.id = due.id
        RETURNING m.*, due."from"),
      entry AS (
        INSERT INTO history (account_id, machine_id, revision, day, at, event, payload, state)
        SELECT account_id, id, revision, $4::bigint / ${DAY_MS}, $4::bigint, 'takenUp',
               json_build_object('from', "from", 'by', held_by), state FROM taken)
      SELECT ${columns}, "from" FROM taken${overdue === null ? ' WHERE $6::bigint IS NULL' : ''}`,
    values: [numbers(dead), heldBy, stepId, at, literals(known), overdue, limit],
  });
  return rows;
};
