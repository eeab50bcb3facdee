/** Groups of an account (`cdg_id`, `group`). */
import type { Pool } from 'pg';

/** Whether a campaign or an audio asset belongs to it. */
export const isCampaignOrAudioGroupInUse = async (
  pool: Pool,
  account: number,
  id: number,
): Promise<boolean> => {
  const { rows } = await pool.query<{ used: boolean }>({
    name: 'group in use',
    text: `SELECT EXISTS (SELECT 1 FROM campaigns WHERE account_id = $1 AND group_id = $2)
      OR EXISTS (SELECT 1 FROM audios WHERE account_id = $1 AND group_id = $2) AS used`,
    values: [account, id],
  });
  return rows[0]!.used;
};
