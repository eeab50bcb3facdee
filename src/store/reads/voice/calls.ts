/**
 * Call records by the questions GetCallStatus asks (spec 4.13). Plain pg with named statements: this is a hot path,
 * and every form of it walks an index backwards by id and stops.
 */
import type { Pool } from 'pg';

/** A call record as it stands in the database, with numbers for big integers. */
export interface CallRow {
  id: number;
  requested_at: number;
  destination: string;
  customer_campaign: string;
  campaign_id: number;
  correlation: string;
  status: string;
  reason: string;
  answered_by: string;
  called_at: number;
  answered_at: number | null;
  ended_at: number | null;
  response_1: string;
  response_2: string;
  response_3: string;
  route: string;
  recording: string;
  recording_seconds: number;
}

export interface CallQuery {
  account: number;
  /** One call. */
  id?: number;
  correlation?: string;
  campaign?: number;
  customerCampaign?: string;
  /** Only ids from here on, and only below there (exclusive). */
  fromId?: number;
  belowId?: number;
  /** `called_at`, epoch milliseconds, from (inclusive) and to (exclusive). */
  calledFrom?: number;
  calledTo?: number;
  /** Only calls with captured digits. */
  withDigits?: boolean;
  limit: number;
}

const columns = `id, requested_at, destination, customer_campaign, campaign_id,
  correlation, status, reason, answered_by, called_at, answered_at,
  ended_at, response_1, response_2, response_3, route, recording, recording_seconds`;

const clauses: readonly (readonly [keyof CallQuery, (n: string) => string])[] = [
  ['id', (n) => `id = ${n}`],
  ['correlation', (n) => `correlation = ${n}`],
  ['campaign', (n) => `campaign_id = ${n}`],
  ['customerCampaign', (n) => `customer_campaign = ${n}`],
  ['fromId', (n) => `id >= ${n}`],
  ['belowId', (n) => `id < ${n}`],
  ['calledFrom', (n) => `called_at >= ${n}`],
  ['calledTo', (n) => `called_at < ${n}`],
];

/** Calls that match, newest first. */
export const findCalls = async (pool: Pool, query: CallQuery): Promise<CallRow[]> => {
  const { shape, where, values } = matching(query);
  const limit = `$${values.push(query.limit)}`;
  const text = `SELECT ${columns} FROM calls WHERE ${where} ORDER BY id DESC LIMIT ${limit}`;
  const found = await pool.query<CallRow>({ name: `calls ${shape}`, text, values });
  return found.rows;
};

/** How many match, counted up to `most`; and of more the last that was counted, newest first: 0 when there are no more. */
export const countCalls = async (
  pool: Pool,
  query: CallQuery,
  most: number,
): Promise<{ count: number; last: number }> => {
  const { shape, where, values } = matching(query);
  const limit = `$${values.push(most)}::int`;
  const text = `WITH found AS (SELECT id FROM calls WHERE ${where} ORDER BY id DESC LIMIT ${limit} + 1)
    SELECT least(count(*), ${limit})::int AS count,
      CASE WHEN count(*) > ${limit} THEN (SELECT id FROM found ORDER BY id OFFSET 1 LIMIT 1) ELSE 0 END AS last
    FROM found`;
  const found = await pool.query<{ count: number; last: number }>({
    name: `count calls ${shape}`,
    text,
    values,
  });
  return found.rows[0]!;
};

/** The condition of a query with its values, and a number for its form. */
const matching = (query: CallQuery): { shape: number; where: string; values: unknown[] } => {
  const values: unknown[] = [query.account];
  const where = ['account_id = $1'];
  let shape = query.withDigits ? 1 : 0;
  for (const [bit, [name, clause]] of clauses.entries()) {
    const value = query[name];
    if (value === undefined) continue;
    where.push(clause(`$${values.push(value)}`));
    shape |= 2 << bit;
  }
  if (query.withDigits) where.push(`(response_1 <> '' OR response_2 <> '' OR response_3 <> '')`);
  return { shape, where: where.join(' AND '), values };
};

/** The newest campaign with this customer-side id (`cp_ctid`). */
export const findNewestCampaignByCorrelation = async (
  pool: Pool,
  account: number,
  correlation: string,
): Promise<number | undefined> => {
  const found = await pool.query<{ id: number }>({
    name: 'newest campaign',
    text: 'SELECT id FROM campaigns WHERE account_id = $1 AND correlation = $2 ORDER BY id DESC LIMIT 1',
    values: [account, correlation],
  });
  return found.rows[0]?.id;
};

/** Whether the account ever placed a call with this correlation id. One without audio was refused, or no telephone rang. */
export const hasCallWithCorrelation = async (
  pool: Pool,
  account: number,
  correlation: string,
): Promise<boolean> => {
  const found = await pool.query({
    name: 'has correlation',
    text: `SELECT FROM calls WHERE account_id = $1 AND correlation = $2
      AND NOT (reason = 'audio' AND attempt = 0) LIMIT 1`,
    values: [account, correlation],
  });
  return found.rows.length > 0;
};
