/** The nodes of a shard. */
import type { Pool } from 'pg';

/** Processes that ran machines of this shard and beat since a moment (epoch milliseconds), the dead ones included. */
export const recentProcesses = async (pool: Pool, since: number): Promise<string[]> => {
  const { rows } = await pool.query<{ process: string }>({
    name: 'recent processes',
    text: 'SELECT DISTINCT process FROM nodes WHERE beat_at >= $1',
    values: [since],
  });
  return rows.map(({ process }) => process);
};
