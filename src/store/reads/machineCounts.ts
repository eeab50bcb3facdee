/** How much is going on, for the metrics page. */
import type { Pool } from 'pg';

/** Unfinished machines by kind and outer state. */
export const countMachines = async (
  pool: Pool,
): Promise<{ kind: string; state: string; count: number }[]> => {
  const { rows } = await pool.query<{ kind: string; state: string; count: number }>(
    `SELECT kind, split_part(state, '.', 1) AS state, count(*)::int AS count
      FROM machines WHERE ended_at IS NULL GROUP BY 1, 2`,
  );
  return rows;
};
