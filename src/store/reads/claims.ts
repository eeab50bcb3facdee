/** What stands beside a claimed key. */
import type { Pool } from 'pg';

/** The answer kept with a living claim; undefined when the key is free. `at`: epoch milliseconds. */
export const readClaimedKeyAnswer = async (
  pool: Pool,
  account: number,
  key: string,
  at: number,
): Promise<string | undefined> => {
  const found = await pool.query<{ answer: string | null }>({
    name: 'claim answer',
    // The sum: by its key, not among all that stand (docs/decisions/0022).
    text: 'SELECT answer FROM claims WHERE account_id = $1 AND key = $2 AND until + 0 > $3',
    values: [account, key, at],
  });
  return found.rows[0]?.answer ?? undefined;
};
