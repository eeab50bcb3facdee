/**
 * What is reserved for calls of accounts that pay for their calls (`charge_calls`): a row for each call that was opened, until
 * it is settled. What was taken and given back stands in the ledger. In the shard.
 */
import type { Pool, PoolClient } from 'pg';
import type {
  CallChargeState,
  CallChargeUpdate,
  AccountAndCallId,
  UnsettledCallCharge,
  LedgerOnlyCharge,
} from '../rules/accounts/callCharge.ts';

const OPEN = `INSERT INTO call_charges (account_id, call_id, rate, payers, covered, opened_at)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (account_id, call_id) DO UPDATE SET opened_at = excluded.opened_at, settle_id = NULL`;

const RESERVED = `SELECT account_id AS payer, -sum(amount)::bigint AS units FROM ledger
  WHERE machine_id = $2 AND payer_id = $1 AND entry IN ('callCharge', 'callRefund') GROUP BY account_id`;

/**
 * An attempt that ended after it was opened was the one that it was opened for. Rows that another process works on are left to
 * it.
 */
const DUE = `SELECT h.account_id AS account, h.call_id AS call, h.rate::text AS rate, h.payers, h.covered, h.settle_id AS "settleId",
    c.answered_at AS "answeredAt", coalesce(c.ended_at, CASE WHEN c.finished THEN 0 END) AS "endedAt"
  FROM call_charges h JOIN calls c ON c.account_id = h.account_id AND c.id = h.call_id
  WHERE c.finished OR c.ended_at > h.opened_at OR c.answered_at IS NOT NULL
  LIMIT $1 FOR UPDATE OF h SKIP LOCKED`;

const CHANGE = `UPDATE call_charges SET covered = coalesce($3, covered), settle_id = coalesce($4, settle_id)
  WHERE account_id = $1 AND call_id = $2`;

/**
 * Calls of which the ledger tells last that something was reserved, and no row tells: the database went back, and the journals
 * brought the ledger again. By the id of the call.
 */
const WITHOUT_ROW = `SELECT t.payer_id AS account, t.machine_id AS call, array_agg(DISTINCT t.account_id ORDER BY t.account_id) AS payers,
    -(sum(t.amount) FILTER (WHERE t.account_id = t.payer_id))::bigint AS reserved, min(t.at) AS "openedAt"
  FROM ledger t JOIN calls c ON c.account_id = t.payer_id AND c.id = t.machine_id
  WHERE t.entry IN ('callCharge', 'callRefund') AND t.machine_id > $1
    AND NOT EXISTS (SELECT FROM call_charges h WHERE h.account_id = t.payer_id AND h.call_id = t.machine_id)
  GROUP BY t.payer_id, t.machine_id HAVING (array_agg(t.entry ORDER BY t.id DESC))[1] = 'callCharge'
  ORDER BY t.machine_id LIMIT $2`;

const OPEN_AGAIN = `INSERT INTO call_charges (account_id, call_id, rate, payers, covered, opened_at)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`;

/** `afterId`: of calls; `most` at a time. */
export const findLedgerChargesWithoutRow = async (
  pool: Pool,
  afterId: number,
  most: number,
): Promise<LedgerOnlyCharge[]> => {
  type Row = Omit<LedgerOnlyCharge, 'reserved'> & { reserved: number | null };
  const { rows } = await pool.query<Row>(WITHOUT_ROW, [afterId, most]);
  return rows.map((row) => ({ ...row, reserved: BigInt(row.reserved ?? 0) }));
};

/** A charge as it was; one that has a row by now keeps it. */
export const restoreForgottenCharge = async (
  pool: Pool,
  { account, call, rate, payers, covered }: CallChargeState,
  openedAt: number,
): Promise<void> => {
  await pool.query(OPEN_AGAIN, [account, call, String(rate), payers, covered, openedAt]);
};

/** Opens a call's charge, or finds the one that an earlier attempt opened. `at`: epoch milliseconds. */
export const openCharge = async (
  pool: Pool,
  { account, call, rate, payers, covered }: CallChargeState,
  at: number,
): Promise<void> => {
  await pool.query(OPEN, [account, call, String(rate), payers, covered, at]);
};

/** What is reserved for a call by now, by who pays it, in ten-thousandths. */
export const readCallReservationsByPayer = async (
  pool: Pick<Pool, 'query'>,
  { account, call }: AccountAndCallId,
): Promise<Map<number, bigint>> => {
  const { rows } = await pool.query<{ payer: number; units: number }>(RESERVED, [account, call]);
  return new Map(rows.map(({ payer, units }) => [payer, BigInt(units)]));
};

/** Nothing is reserved for a call: there is nothing to settle. */
export const dropCharge = async (
  pool: Pick<Pool, 'query'>,
  { account, call }: AccountAndCallId,
): Promise<void> => {
  await pool.query('DELETE FROM call_charges WHERE account_id = $1 AND call_id = $2', [account, call]);
};

export const changeCharge = async (
  pool: Pick<Pool, 'query'>,
  { account, call }: AccountAndCallId,
  change: CallChargeUpdate,
): Promise<void> => {
  const { covered = null, settleId = null } = { ...change } as { covered?: number; settleId?: number };
  await pool.query(CHANGE, [account, call, covered, settleId]);
};

/** Works on calls that talk or are over, `most` at a time; no other process works on the same meanwhile. */
export const withLockedUnsettledCallCharges = async (
  pool: Pool,
  most: number,
  work: (due: UnsettledCallCharge[], client: PoolClient) => Promise<void>,
): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query(
      `BEGIN; SET LOCAL lock_timeout = '2s'; SET LOCAL idle_in_transaction_session_timeout = '30s'`,
    );
    const { rows } = await client.query<Omit<UnsettledCallCharge, 'rate'> & { rate: string }>(DUE, [most]);
    await work(
      rows.map((row) => ({ ...row, rate: BigInt(row.rate) })),
      client,
    );
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    // What it had begun ends with the connection.
    client.release(true);
    throw error;
  }
};
