/** What is kept of a number: its calls, what admission said before each dial, and where the number came from. */
import type { Pool } from 'pg';

export interface CallInNumberHistory {
  account_id: number;
  id: number;
  destination: string;
  requested_at: number;
  /** 0: a single call. */
  campaign_id: number;
  /** Null: a single call, or the campaign is deleted. */
  campaign: string | null;
  campaign_created_at: number | null;
  list_id: number | null;
  list: string | null;
  list_file: string | null;
  list_created_at: number | null;
  /** Row of the list. */
  campaign_row: number;
  customer_campaign: string;
  origin: string;
  status: string;
  reason: string;
  attempt: number;
  dialed_at: number | null;
  answered_at: number | null;
  ended_at: number | null;
  response_1: string;
  hangup_cause: number;
  sip_status: number;
  /** Those that are over: JSON (`machines/call/context.ts`). */
  attempts: string;
  finished: boolean;
}

/** Indexes serve where the accounts are given. */
export interface CallsToNumberQuery {
  accounts: readonly number[];
  /** As it may stand in records. */
  numbers: readonly string[];
}

/** Calls to a number, newest first; the number counts that was dialled last. `below`: only ids below. */
export const callsToNumber = async (
  pool: Pool,
  { accounts, numbers, below, limit }: CallsToNumberQuery & { below: number; limit: number },
): Promise<CallInNumberHistory[]> => {
  const { rows } = await pool.query<CallInNumberHistory>({
    name: 'calls to number',
    text: `SELECT c.account_id, c.id, c.destination, c.requested_at, c.campaign_id, p.name AS campaign,
        p.created_at AS campaign_created_at, p.list_id, l.name AS list, l.file AS list_file,
        l.created_at AS list_created_at, c.campaign_row, c.customer_campaign, c.origin, c.status, c.reason, c.attempt,
        c.dialed_at, c.answered_at, c.ended_at, c.response_1, c.hangup_cause, c.sip_status,
        c.attempts, c.finished
      FROM (SELECT * FROM calls WHERE account_id = ANY($1::int[]) AND destination = ANY($2::text[]) AND id < $3
        ORDER BY id DESC LIMIT $4) AS c
      LEFT JOIN campaigns p ON p.account_id = c.account_id AND p.id = c.campaign_id
      LEFT JOIN lists l ON l.account_id = c.account_id AND l.id = p.list_id
      ORDER BY c.id DESC`,
    values: [accounts, numbers, below, limit],
  });
  return rows;
};

export interface NumberDialCounts {
  /** Calls that were dialled since then, and the last dial of all. */
  dialled: number;
  last: number | null;
}

/** Counting stops at 1,000. */
export const countDialsSince = async (
  pool: Pool,
  { accounts, numbers, since }: CallsToNumberQuery & { since: number },
): Promise<NumberDialCounts> => {
  const { rows } = await pool.query<NumberDialCounts>({
    name: 'dials since',
    text: `SELECT count(*) FILTER (WHERE dialed_at >= $3)::int AS dialled, max(dialed_at) AS last FROM (
        SELECT dialed_at FROM calls WHERE account_id = ANY($1::int[]) AND destination = ANY($2::text[])
          AND dialed_at IS NOT NULL ORDER BY id DESC LIMIT 1000) AS newest`,
    values: [accounts, numbers, since],
  });
  return rows[0]!;
};

export interface Step {
  account_id: number;
  machine_id: number;
  revision: number;
  at: number;
  event: string;
  payload: unknown;
  state: string;
}

/** What is said about a dial, by the campaign and by admission. */
const steps = [
  ...['cleared', 'refused', 'postponed', 'requestClearanceFailed', 'claimRefused'],
  ...['attemptDeferred', 'attemptRevoked', 'campaignOver'],
];
/** Of each call, the newest. */
const mostSteps = 40;

/** The steps of these calls that say why they were dialled or not, each call's in order. */
export const readDialDecisionSteps = async (
  pool: Pool,
  calls: readonly Pick<CallInNumberHistory, 'account_id' | 'id' | 'requested_at'>[],
): Promise<Step[]> => {
  if (calls.length === 0) return [];
  const { rows } = await pool.query<Step>({
    name: 'steps of calls',
    text: `SELECT h.account_id, h.machine_id, h.revision, h.at, h.event, h.payload, h.state
      FROM unnest($1::int[], $2::bigint[], $3::bigint[]) AS c (account_id, id, day)
      CROSS JOIN LATERAL (SELECT * FROM history WHERE account_id = c.account_id AND machine_id = c.id
        AND day >= c.day AND event = ANY($4::text[]) ORDER BY revision DESC LIMIT ${mostSteps}) AS h
      ORDER BY h.account_id, h.machine_id, h.revision`,
    values: [
      calls.map(({ account_id }) => account_id),
      calls.map(({ id }) => id),
      // Clocks of nodes may differ by less than a day.
      calls.map(({ requested_at }) => Math.floor(requested_at / 86_400_000) - 1),
      steps,
    ],
  });
  return rows;
};

/** The call of an id or, where there is none, the newest of a correlation id. */
export const findCallByIdOrCorrelation = async (
  pool: Pool,
  { accounts, text, id }: { accounts: readonly number[]; text: string; id: number | null },
): Promise<{ id: number; account_id: number; destination: string } | undefined> => {
  const { rows } = await pool.query<{ id: number; account_id: number; destination: string }>({
    name: 'call named',
    text: `(SELECT id, account_id, destination FROM calls WHERE account_id = ANY($1::int[]) AND id = $2::bigint LIMIT 1)
      UNION ALL (SELECT id, account_id, destination FROM calls
        WHERE account_id = ANY($1::int[]) AND $3 <> '' AND correlation = $3 ORDER BY id DESC LIMIT 1) LIMIT 1`,
    values: [accounts, id, text],
  });
  return rows[0];
};
