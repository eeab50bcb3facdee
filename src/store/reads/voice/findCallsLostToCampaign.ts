/** Calls of which a campaign will not hear any more. */
import type { Pool } from 'pg';

/**
 * Those that have ended or are not there, and of which no word waits in the campaign's inbox. One statement sees one
 * moment, and a call's last words are written with its end: what it said was heard before.
 */
export const findCallsLostToCampaign = async (
  pool: Pool,
  { account, campaign, calls }: { account: number; campaign: number; calls: readonly number[] },
): Promise<number[]> => {
  const { rows } = await pool.query<{ id: string }>({
    name: 'lost calls',
    text: `
      SELECT asked.id FROM unnest($3::bigint[]) AS asked (id)
      WHERE NOT EXISTS (
        SELECT FROM machines WHERE account_id = $1 AND machines.id = asked.id AND ended_at IS NULL
      ) AND NOT EXISTS (
        SELECT FROM inbox
        WHERE account_id = $1 AND machine_id = $2 AND event ->> 'call' = asked.id::text
      )`,
    values: [account, campaign, calls],
  });
  return rows.map(({ id }) => Number(id));
};
