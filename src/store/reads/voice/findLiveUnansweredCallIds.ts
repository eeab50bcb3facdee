/** Calls of a campaign that may still dial. */
import type { Pool } from 'pg';

/** Those that have neither ended nor been answered, by id from after `after`. */
export const findLiveUnansweredCallIds = async (
  pool: Pool,
  query: { account: number; campaign: number; after: number; limit: number },
): Promise<number[]> => {
  const { rows } = await pool.query<{ id: number }>({
    name: 'live calls',
    text: `SELECT id FROM calls
      WHERE account_id = $1 AND campaign_id = $2 AND id > $3 AND NOT finished AND answered_at IS NULL
      ORDER BY id LIMIT $4`,
    values: [query.account, query.campaign, query.after, query.limit],
  });
  return rows.map(({ id }) => id);
};
