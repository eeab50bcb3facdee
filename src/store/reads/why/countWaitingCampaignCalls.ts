/** What the calls of a campaign that have not ended wait for: counted by state and by the rule that put them off. */
import type { Pool } from 'pg';

export interface PostponedCallCount {
  state: string;
  /** The rule that put them off last; empty: none did. */
  rule: string;
  count: number;
  /** The earliest moment at which one goes on by itself; null: none does. */
  until: number | null;
}

/** While a request waits for the answer. */
const mostMs = 2_000;
const timedOut = '57014';

/** States that a call leaves by itself at their moment. The timers of all others only guard against lost events. */
const waitsForMoment = "split_part(m.state, '.', 1) IN ('postponed', 'deferred', 'scheduled', 'retrying')";

/** Undefined: there are so many calls that counting them takes too long. */
export const countCampaignCallsByWaitReason = async (
  pool: Pool,
  account: number,
  campaign: number,
): Promise<PostponedCallCount[] | undefined> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN READ ONLY');
    await client.query(`SET LOCAL statement_timeout = ${mostMs}`);
    const { rows } = await client.query<PostponedCallCount>(
      `SELECT split_part(m.state, '.', 1) AS state,
          CASE WHEN m.state IN ('postponed', 'deferred', 'scheduled')
            THEN coalesce(m.snapshot->'c'->'explanations'->-1->>'rule', '') ELSE '' END AS rule,
          count(*)::int AS count, min(m.wake_at) FILTER (WHERE ${waitsForMoment}) AS until
        FROM calls c JOIN machines m ON m.account_id = c.account_id AND m.id = c.id
        WHERE c.account_id = $1 AND c.campaign_id = $2 AND NOT c.finished
        GROUP BY 1, 2 ORDER BY 3 DESC`,
      [account, campaign],
    );
    return rows;
  } catch (error) {
    if ((error as { code?: string }).code === timedOut) return undefined;
    throw error;
  } finally {
    await client.query('ROLLBACK').catch(() => {});
    client.release();
  }
};
