/** What needs an operator and is no machine's fault: money that is nearly spent, templates that were rejected. Bounded. */
import type { Pool } from 'pg';
import { MONEY_BALANCE_NAME } from '../../balances.ts';

/** An account whose money lasts less than a day. */
export interface LowBalanceRow {
  account_id: number;
  /** What is left, ten-thousandths. */
  amount: number;
  /** What was taken within the day before, ten-thousandths; where much was booked, at least this. */
  spent: number;
}

/** So many movements of an account are added up; more of them only make its balance look longer. */
const mostMovements = 5_000;
const mostAlerts = 50;

/** Balances that are less than what was taken from them since `fromId`, a day ago; the least first. */
export const findLowBalances = async (
  pool: Pool,
  { accounts, fromId }: { accounts: readonly number[]; fromId: number },
): Promise<LowBalanceRow[]> => {
  const { rows } = await pool.query<LowBalanceRow>({
    name: 'low balances',
    text: `SELECT b.account_id, b.amount, taken.spent FROM balances b, LATERAL (
        SELECT coalesce(-sum(least(amount, 0)), 0)::bigint AS spent FROM (SELECT amount FROM ledger
          WHERE account_id = b.account_id AND id >= $2 LIMIT ${mostMovements}) AS recent) AS taken
      WHERE b.account_id = ANY($1::int[]) AND b.name = '${MONEY_BALANCE_NAME}' AND b.amount < taken.spent
      ORDER BY b.amount LIMIT ${mostAlerts}`,
    values: [accounts, fromId],
  });
  return rows;
};

export interface RejectedTemplateRow {
  account_id: number;
  id: number;
  name: string;
  reason: string;
  /** When it was edited last, epoch milliseconds. */
  since: number;
}

/** Templates that their upstream rejected and that were not removed since, the newest first. */
export const findRejectedTemplates = async (
  pool: Pool,
  accounts: readonly number[],
): Promise<RejectedTemplateRow[]> => {
  const { rows } = await pool.query<RejectedTemplateRow>({
    name: 'rejected templates',
    text: `SELECT account_id, id, name, rejection_reason AS reason, updated_at AS since FROM templates
      WHERE account_id = ANY($1::int[]) AND status = 'REJECTED' AND NOT removed
      ORDER BY id DESC LIMIT ${mostAlerts}`,
    values: [accounts],
  });
  return rows;
};

/** Callers who wait in a queue. */
export interface QueueDepthRow {
  account_id: number;
  id: number;
  name: string;
  waiting: number;
  /** Those who talk with a member. */
  talking: number;
}

/** Queues with callers, those with the most who wait first. By the rows of queues, so that each is one look. */
export const findQueueDepths = async (pool: Pool, accounts: readonly number[]): Promise<QueueDepthRow[]> => {
  const { rows } = await pool.query<QueueDepthRow>({
    name: 'depths of queues',
    text: `SELECT q.account_id, q.id, q.name, depth.waiting, depth.talking
      FROM queues q JOIN machines m ON m.account_id = q.account_id AND m.id = q.id AND m.kind = 'line',
        LATERAL (SELECT json_array_length(m.snapshot->'c'->'waiting')::int AS waiting,
          json_array_length(m.snapshot->'c'->'talks')::int AS talking) AS depth
      WHERE q.account_id = ANY($1::int[]) AND m.ended_at IS NULL AND m.state <> 'pending'
        AND depth.waiting + depth.talking > 0
      ORDER BY depth.waiting DESC, q.account_id, q.id LIMIT ${mostAlerts}`,
    values: [accounts],
  });
  return rows;
};
