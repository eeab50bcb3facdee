/** Takes a list back that nobody needs: its records, its refused records and itself, or nothing of it. */
import type { Pool } from 'pg';

export const removeList = async (pool: Pool, account: number, id: number): Promise<void> => {
  await pool.query({
    name: 'remove list',
    text: `WITH records AS (DELETE FROM list_records WHERE account_id = $1 AND list_id = $2),
      rejects AS (DELETE FROM list_rejects WHERE account_id = $1 AND list_id = $2)
      DELETE FROM lists WHERE account_id = $1 AND id = $2`,
    values: [account, id],
  });
};
