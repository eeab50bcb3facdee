/** Whether what a campaign names is there: its group, its list. */
import type { Pool } from 'pg';

export const doesCampaignGroupExist = async (pool: Pool, account: number, id: number): Promise<boolean> => {
  const { rows } = await pool.query({
    name: 'group there',
    text: 'SELECT 1 FROM groups WHERE account_id = $1 AND id = $2',
    values: [account, id],
  });
  return rows.length > 0;
};

export interface DestinationListSummary {
  id: number;
  name: string;
  active: boolean;
  /** Accepted records. */
  records: number;
}

/** A list of the account; undefined: it has none with this id. */
export const findDestinationListById = async (
  pool: Pool,
  account: number,
  id: number,
): Promise<DestinationListSummary | undefined> => {
  const { rows } = await pool.query<DestinationListSummary>({
    name: 'list named',
    text: 'SELECT id, name, active, records FROM lists WHERE account_id = $1 AND id = $2',
    values: [account, id],
  });
  return rows[0];
};
