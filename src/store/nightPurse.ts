/** A purse of the messages that an account may still send in a night; each start takes one in its own commit. */
import type { Pool } from 'pg';

export interface NightAllowance {
  account: number;
  /** The evening's date, `YYYY-MM-DD`. */
  date: string;
  /** Messages in one night. Another cap is another purse: what was sent by then counts in it. */
  cap: number;
  /** The first id that was minted in this night. */
  firstId: number;
  /** When the purse may be forgotten, epoch milliseconds. */
  until: number;
}

/** Makes the purse with the first message of the night; `left`: how many there were a moment ago. */
export const nightPurse = async (
  pool: Pool,
  { account, date, cap, firstId, until }: NightAllowance,
): Promise<{ purse: string; left: number }> => {
  const purse = `night ${date} ${cap}`;
  const { rows } = await pool.query<{ left: number }>({
    name: 'night purse',
    text: `WITH standing AS (SELECT amount FROM purses WHERE account_id = $1::int AND name = $2),
      made AS (INSERT INTO purses (account_id, name, amount, until)
        SELECT $1::int, $2, greatest(0, $3::bigint - (SELECT count(*) FROM messages
          WHERE account_id = $1::int AND id >= $4::bigint AND channel = 'sms')), $5::bigint
        WHERE NOT EXISTS (SELECT FROM standing) ON CONFLICT DO NOTHING RETURNING amount)
      SELECT amount::float8 AS left FROM standing UNION ALL SELECT amount::float8 FROM made`,
    values: [account, purse, cap, firstId, until],
  });
  // Another request may have made it at this moment: the commit tells.
  return { purse, left: rows[0]?.left ?? cap };
};

/** Forgets the purses whose time is over (epoch milliseconds). */
export const forgetPurses = async (pool: Pool, at: number): Promise<void> => {
  await pool.query({ name: 'forget purses', text: 'DELETE FROM purses WHERE until < $1', values: [at] });
};
