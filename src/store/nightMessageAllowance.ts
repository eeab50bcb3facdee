/** A balance of the messages that an account may still send in a night; each start takes one in its own commit. */
import type { Pool } from 'pg';
import { batchLoaderOn } from './reads/batchLoader.ts';

export interface NightlyMessageCap {
  account: number;
  /** The evening's date, `YYYY-MM-DD`. */
  date: string;
  /** Messages in one night. Another cap is another balance: what was sent by then counts in it. */
  cap: number;
  /** The first id that was minted in this night. */
  firstId: number;
  /** When the balance may be forgotten, epoch milliseconds. */
  until: number;
}

/** Makes the balance with the first message of the night; `left`: how many there were a moment ago. */
export const openNightlyMessageAllowance = batchLoaderOn<NightlyMessageCap, RemainingNightlyMessages>(
  async (pool, nights) => {
    const asked = new Map<string, Promise<RemainingNightlyMessages>>();
    for (const night of nights) if (!asked.has(keyOf(night))) asked.set(keyOf(night), ask(pool, night));
    return Promise.all(nights.map((night) => asked.get(keyOf(night))!));
  },
);

export interface RemainingNightlyMessages {
  balance: string;
  left: number;
}

const keyOf = (night: NightlyMessageCap): string => `${night.account} ${nameOf(night)}`;
const nameOf = ({ date, cap }: NightlyMessageCap): string => `night ${date} ${cap}`;

const ask = async (pool: Pool, night: NightlyMessageCap): Promise<RemainingNightlyMessages> => {
  const { account, cap, firstId, until } = night;
  const balance = nameOf(night);
  const { rows } = await pool.query<{ left: number }>({
    name: 'night balance',
    text: `WITH standing AS (SELECT amount FROM balances WHERE account_id = $1::int AND name = $2),
      made AS (INSERT INTO balances (account_id, name, amount, until)
        SELECT $1::int, $2, greatest(0, $3::bigint - (SELECT count(*) FROM messages
          WHERE account_id = $1::int AND id >= $4::bigint AND channel = 'sms')), $5::bigint
        WHERE NOT EXISTS (SELECT FROM standing) ON CONFLICT DO NOTHING RETURNING amount)
      SELECT amount::float8 AS left FROM standing UNION ALL SELECT amount::float8 FROM made`,
    values: [account, balance, cap, firstId, until],
  });
  // Another request may have made it at this moment: the commit tells.
  return { balance, left: rows[0]?.left ?? cap };
};

/** Forgets the balances whose time is over (epoch milliseconds). */
export const deleteExpiredNightMessageBalances = async (pool: Pool, at: number): Promise<void> => {
  await pool.query({ name: 'forget balances', text: 'DELETE FROM balances WHERE until < $1', values: [at] });
};
