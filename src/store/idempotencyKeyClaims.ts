/** Claims that no machine makes: an answer kept under a key, once what it answers is done. */
import type { Pool } from 'pg';
import type { ExclusiveKeyClaimRequest } from '../engine/contract/api.ts';

/** Keeps it unless a living claim has the key. `owner`: for people; `at`: epoch milliseconds. */
export const storeIdempotentAnswer = async (
  pool: Pool,
  account: number,
  { key, forMs, answer }: ExclusiveKeyClaimRequest,
  { owner, at }: { owner: string; at: number },
): Promise<void> => {
  await pool.query({
    name: 'keep answer',
    text: `INSERT INTO claims (account_id, key, until, owner, answer) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (account_id, key) DO UPDATE
        SET until = excluded.until, owner = excluded.owner, answer = excluded.answer WHERE claims.until <= $6`,
    values: [account, key, at + forMs, owner, answer ?? null, at],
  });
};

/** Takes a key for a short piece of work; false: a living claim has it. `owner`: for `releaseKeyClaim`; `at`: epoch milliseconds. */
export const takeKeyClaim = async (
  pool: Pool,
  account: number,
  { key, forMs }: ExclusiveKeyClaimRequest,
  { owner, at }: { owner: string; at: number },
): Promise<boolean> => {
  const { rowCount } = await pool.query({
    name: 'take claim',
    text: `INSERT INTO claims (account_id, key, until, owner) VALUES ($1, $2, $3, $4)
      ON CONFLICT (account_id, key) DO UPDATE SET until = excluded.until, owner = excluded.owner, answer = NULL
        WHERE claims.until <= $5`,
    values: [account, key, at + forMs, owner, at],
  });
  return rowCount === 1;
};

/** Gives back what `takeKeyClaim` took. */
export const releaseKeyClaim = async (
  pool: Pool,
  account: number,
  { key, owner }: { key: string; owner: string },
): Promise<void> => {
  await pool.query({
    name: 'drop claim',
    text: 'DELETE FROM claims WHERE account_id = $1 AND key = $2 AND owner = $3',
    values: [account, key, owner],
  });
};
