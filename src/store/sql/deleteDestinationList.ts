/** Takes a list away: its records, its refused records and itself, or nothing of it. */
import type { Pool } from 'pg';

/** For half a million records, milliseconds. */
const longestMs = 120_000;

/** False: the account has none with this id, or a campaign that has not ended dials it. */
export const deleteDestinationList = async (pool: Pool, account: number, id: number): Promise<boolean> => {
  const client = await pool.connect();
  try {
    await client.query(`BEGIN; SET LOCAL statement_timeout = ${longestMs}`);
    const { rowCount } = await client.query({
      name: 'remove list',
      text: `WITH gone AS (DELETE FROM lists l WHERE account_id = $1 AND id = $2 AND NOT EXISTS (
          SELECT FROM campaigns c WHERE c.account_id = $1 AND c.list_id = $2 AND c.finished_at IS NULL) RETURNING id),
        records AS (DELETE FROM list_records r USING gone WHERE r.account_id = $1 AND r.list_id = $2),
        rejects AS (DELETE FROM list_rejects r USING gone WHERE r.account_id = $1 AND r.list_id = $2)
        SELECT FROM gone`,
      values: [account, id],
    });
    await client.query('COMMIT');
    client.release();
    return rowCount === 1;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
};
