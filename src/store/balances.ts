/** Balances and their ledger, for what is booked by hand; what machines book is part of their steps (`sql/commit`). */
import type { Pool } from 'pg';

/** The balance that holds an account's money, in ten-thousandths. */
export const MONEY_BALANCE_NAME = 'balance';

/** A movement by an operator. */
export interface ManualBalanceBooking {
  /** Names it in the ledger; minted. */
  id: number;
  account: number;
  /** Ten-thousandths; negative takes. */
  amount: bigint;
  note: string;
  /** Epoch milliseconds. */
  at: number;
}

export interface LedgerRow {
  id: number;
  at: number;
  entry: string;
  amount: bigint;
  payer_id: number | null;
  machine_id: number | null;
  note: string;
}

/** The balances of these accounts, in ten-thousandths; an account without a balance has none. */
export const readAccountBalances = async (
  pool: Pool,
  accounts: readonly number[],
): Promise<Map<number, bigint>> => {
  const { rows } = await pool.query<{ account_id: number; amount: string }>({
    name: 'balances',
    text: 'SELECT account_id, amount::text AS amount FROM balances WHERE account_id = ANY($1::int[]) AND name = $2',
    values: [accounts, MONEY_BALANCE_NAME],
  });
  return new Map(rows.map(({ account_id, amount }) => [account_id, BigInt(amount)]));
};

/**
 * Moves money by hand; the new balance, or `insufficientBalance` when less is there than is taken. A credit opens the balance of an
 * account that has none.
 */
export const adjustBalance = async (
  pool: Pool,
  { id, account, amount, note, at }: ManualBalanceBooking,
): Promise<{ balance: bigint } | 'insufficientBalance'> => {
  const { rows } = await pool.query<{ amount: string }>({
    name: 'book by hand',
    text: `WITH opened AS (INSERT INTO balances (account_id, name, amount)
        SELECT $1::int, '${MONEY_BALANCE_NAME}', $3::bigint WHERE $3::bigint >= 0
        ON CONFLICT (account_id, name) DO UPDATE SET amount = balances.amount + excluded.amount RETURNING amount),
      taken AS (UPDATE balances SET amount = amount + $3::bigint
        WHERE account_id = $1::int AND name = '${MONEY_BALANCE_NAME}' AND $3::bigint < 0 AND amount + $3::bigint >= 0
        RETURNING amount),
      moved AS (SELECT amount FROM opened UNION ALL SELECT amount FROM taken),
      entered AS (INSERT INTO ledger (account_id, id, at, entry, amount, note)
        SELECT $1::int, $2::bigint, $4::bigint, CASE WHEN $3::bigint < 0 THEN 'debit' ELSE 'credit' END, $3::bigint, $5
        FROM moved)
      SELECT amount::text AS amount FROM moved`,
    values: [account, id, String(amount), at, note],
  });
  return rows[0] ? { balance: BigInt(rows[0].amount) } : 'insufficientBalance';
};

/**
 * Brings a balance to an amount, by an entry of the difference; nothing is entered where there is none. One statement:
 * a process that stops in the middle holds no balance that the steps of machines wait for.
 */
export const setBalance = async (
  pool: Pool,
  { id, account, amount, note, at }: ManualBalanceBooking,
): Promise<void> => {
  await pool.query({
    name: 'set balance',
    text: `WITH moved AS (INSERT INTO balances (account_id, name, amount) VALUES ($1::int, '${MONEY_BALANCE_NAME}', $3::bigint)
        ON CONFLICT (account_id, name) DO UPDATE SET amount = excluded.amount
        RETURNING new.amount - coalesce(old.amount, 0) AS difference)
      INSERT INTO ledger (account_id, id, at, entry, amount, note)
        SELECT $1::int, $2::bigint, $4::bigint, CASE WHEN difference < 0 THEN 'debit' ELSE 'credit' END, difference, $5
        FROM moved WHERE difference <> 0`,
    values: [account, id, String(amount), at, note],
  });
};

/** The ledger of an account, newest first; `before`: older than this entry. */
export const readLedgerPage = async (
  pool: Pool,
  { account, before, limit }: { account: number; before: number | null; limit: number },
): Promise<LedgerRow[]> => {
  const { rows } = await pool.query<Omit<LedgerRow, 'amount'> & { amount: string }>({
    name: 'ledger',
    text: `SELECT id, at, entry, amount::text AS amount, payer_id, machine_id, note FROM ledger
      WHERE account_id = $1 AND ($2::bigint IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    values: [account, before, limit],
  });
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
};
