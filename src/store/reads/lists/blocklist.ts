/** The block lists: each account's own, in its shard, and the global one, in the control database. */
import type { Pool } from 'pg';
import { batchLoaderOn } from '../batchLoader.ts';

export interface BlockedNumberQuery {
  account: number;
  /** As it is dialled. */
  number: string;
}

/** The reason given for an entry (may be empty); undefined: not on the list. */
export type BlocklistLookupResult = string | undefined;

/** Looks at an account's list, in its shard. */
export const lookUpAccountBlocklist = batchLoaderOn<BlockedNumberQuery, BlocklistLookupResult>(
  async (pool, questions) => {
    const { rows } = await pool.query<{ nth: number; reason: string }>({
      name: 'blocked by account',
      text: `SELECT asked.nth::int AS nth, blocklist.reason
      FROM unnest($1::int[], $2::text[]) WITH ORDINALITY AS asked (account_id, number, nth)
      JOIN blocklist USING (account_id, number)`,
      values: [questions.map(({ account }) => account), questions.map(({ number }) => number)],
    });
    const found = new Map(rows.map(({ nth, reason }) => [nth, reason]));
    return questions.map((_, index) => found.get(index + 1));
  },
);

/** Which of these numbers are on the account's list. */
export const findBlockedNumbers = async (
  pool: Pool,
  account: number,
  numbers: readonly string[],
): Promise<Set<string>> => {
  const { rows } = await pool.query<{ number: string }>({
    name: 'blocked among',
    // OFFSET keeps it at one look at the key a number: thousands are asked of a list of millions.
    text: `SELECT asked.number FROM unnest($2::text[]) AS asked (number)
      CROSS JOIN LATERAL (SELECT FROM blocklist b WHERE b.account_id = $1 AND b.number = asked.number OFFSET 0) AS found`,
    values: [account, numbers],
  });
  return new Set(rows.map(({ number }) => number));
};

/** Those of these accounts whose own lists have one of the numbers. */
export const findAccountsThatBlock = async (
  pool: Pool,
  { accounts, numbers }: { accounts: readonly number[]; numbers: readonly string[] },
): Promise<number[]> => {
  const { rows } = await pool.query<{ account_id: number }>({
    name: 'accounts that block',
    // OFFSET keeps it at one look at the key an account and number.
    text: `SELECT DISTINCT of.account_id FROM unnest($1::int[]) AS of (account_id)
      CROSS JOIN unnest($2::text[]) AS asked (number)
      CROSS JOIN LATERAL (SELECT FROM blocklist b
        WHERE b.account_id = of.account_id AND b.number = asked.number OFFSET 0) AS found`,
    values: [accounts, numbers],
  });
  return rows.map(({ account_id }) => account_id);
};

/** Looks at the global list. */
export const lookUpGlobalBlocklist = batchLoaderOn<string, BlocklistLookupResult>(async (pool, numbers) => {
  const { rows } = await pool.query<{ number: string; reason: string }>({
    name: 'blocked for all',
    text: 'SELECT number, reason FROM global_blocklist WHERE number = ANY($1::text[])',
    values: [numbers],
  });
  const found = new Map(rows.map((row) => [row.number, row.reason]));
  return numbers.map((number) => found.get(number));
});

/** Most numbers of the global list that generation reads; those beyond are refused before each dial all the same. */
const GLOBAL_READ = 200_000;

/** The numbers of the global list. */
export const allGlobalBlocks = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ number: string }>('SELECT number FROM global_blocklist LIMIT $1', [
    GLOBAL_READ,
  ]);
  return rows.map(({ number }) => number);
};

/** Puts a number on an account's list; one that is there already stays as it is. `at`: epoch milliseconds. */
export const blockNumber = async (
  pool: Pool,
  entry: BlockedNumberQuery & { reason: string; at: number },
): Promise<void> => {
  await pool.query({
    name: 'block number',
    text: `INSERT INTO blocklist (account_id, number, reason, created_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT (account_id, number) DO NOTHING`,
    values: [entry.account, entry.number, entry.reason, entry.at],
  });
};
