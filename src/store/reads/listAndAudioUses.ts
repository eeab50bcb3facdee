/** What still needs a list or an audio asset: asked before it is deleted. */
import type { Pool } from 'pg';

/** A campaign that has not ended, a results file that is under way, or a single call that waits. */
export interface Use {
  what: 'campaign' | 'model' | 'results' | 'call';
  id: number;
  name: string;
  /** Of a campaign: active, paused … */
  state: string;
}

/** So many are named; one more tells that there are others. */
const MOST = 6;

/** Campaigns that dial or may dial a list, and results files that name its records. */
export const usesOfList = async (pool: Pool, account: number, list: number): Promise<Use[]> => {
  const { rows } = await pool.query<Use>({
    name: 'uses of list',
    text: `SELECT CASE WHEN c.finished_at IS NOT NULL THEN 'results' WHEN c.model THEN 'model' ELSE 'campaign' END AS what,
        c.id, c.name, c.state
      FROM campaigns c
      WHERE c.account_id = $1 AND c.list_id = $2 AND (c.finished_at IS NULL OR EXISTS (
        SELECT FROM deliveries d WHERE d.account_id = $1 AND d.about_id = c.id AND d.purpose = 'results' AND NOT d.finished))
      ORDER BY c.id DESC LIMIT ${MOST}`,
    values: [account, list],
  });
  return rows;
};

/** Campaigns that play an asset or may, and single calls that wait with one of its files in them. */
export const usesOfAudio = async (
  pool: Pool,
  account: number,
  audio: number,
  files: readonly string[],
): Promise<Use[]> => {
  const campaigns = await pool.query<Use>({
    name: 'uses of audio',
    text: `SELECT CASE WHEN model THEN 'model' ELSE 'campaign' END AS what, id, name, state FROM campaigns
      WHERE account_id = $1 AND finished_at IS NULL
        AND (strpos(' ' || audio || ' ', ' tf' || $2::int || ' ') > 0 OR strpos(' ' || audio || ' ', ' tf' || $2::int || 't ') > 0)
      ORDER BY id DESC LIMIT ${MOST}`,
    values: [account, audio],
  });
  if (campaigns.rows.length > 0) return campaigns.rows;
  const calls = await pool.query<Use>({
    name: 'calls with audio',
    text: `SELECT 'call' AS what, id, '' AS name, state FROM machines m
      WHERE account_id = $1 AND kind = 'call' AND ended_at IS NULL
        AND EXISTS (SELECT FROM unnest($2::text[]) AS file WHERE strpos(m.snapshot::text, '"' || file || '"') > 0)
      ORDER BY id DESC LIMIT ${MOST}`,
    values: [account, files],
  });
  return calls.rows;
};
