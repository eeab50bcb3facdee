import type { Pool } from 'pg';

const DAY_MS = 86_400_000;

/** Moves finished machines' last rows into their histories, as one entry each. How many. */
export const archiveFinishedMachines = async (
  pool: Pool,
  endedBefore: number,
  at: number,
  limit: number,
): Promise<number> => {
  const { rowCount } = await pool.query({
    name: 'rest',
    text: `WITH over AS (
        SELECT account_id, id FROM machines WHERE ended_at < $1 ORDER BY ended_at LIMIT $3 FOR UPDATE SKIP LOCKED),
      gone AS (
        DELETE FROM machines m USING over WHERE m.account_id = over.account_id AND m.id = over.id RETURNING m.*)
      INSERT INTO history (account_id, machine_id, revision, day, at, event, payload, state)
      SELECT account_id, id, revision + 1, $2::bigint / ${DAY_MS}, $2::bigint, 'archived',
        json_build_object('kind', kind, 'version', version, 'milestones', milestones::json, 'attention', attention,
          'created_at', created_at, 'ended_at', ended_at, 'snapshot', snapshot), state
      FROM gone`,
    values: [endedBefore, at, limit],
  });
  return rowCount ?? 0;
};
