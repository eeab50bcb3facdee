/** How often a campaign has called a number (spec 4.2 `numlim`, `audiolim`). */
import type { Pool } from 'pg';

export interface EarlierCallsQuery {
  account: number;
  /** The asking call, which does not count itself. */
  id: number;
  /** `cpid`. */
  customerCampaign: string;
  number: string;
  /** Only calls with this audio. */
  audioKey?: string;
  /** Epoch milliseconds. */
  since: number;
  /** Counting stops here. */
  enough: number;
}

/**
 * Other calls dialled since then, and older ones still in flight. Two calls that ask at once see each other
 * through their ids: the younger one counts the older, so together they never pass the limit.
 */
export const countEarlierCalls = async (pool: Pool, query: EarlierCallsQuery): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>({
    name: 'calls before',
    text: `SELECT count(*)::int AS count FROM (
        SELECT 1 FROM calls
        WHERE account_id = $1 AND customer_campaign = $2 AND destination = $3 AND id <> $4
          AND (dialed_at >= $5 OR (NOT finished AND id < $4))
          AND ($6::text IS NULL OR audio_key = $6)
        LIMIT $7) AS counted`,
    values: [
      query.account,
      query.customerCampaign,
      query.number,
      query.id,
      query.since,
      query.audioKey ?? null,
      query.enough,
    ],
  });
  return rows[0]?.count ?? 0;
};
