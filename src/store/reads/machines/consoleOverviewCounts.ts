/**
 * What the console's first page counts, over all accounts of a shard. To be asked seldom: some queries read whole
 * tables.
 */
import type { Pool } from 'pg';
import { type CallHappening, everyAttemptSql, happenedSql } from './callAttemptSql.ts';

export interface MachineKindStateCount {
  kind: string;
  state: string;
  count: number;
}

/** Unfinished machines by kind and whole state. Reads the table. */
export const countMachineStates = async (pool: Pool): Promise<MachineKindStateCount[]> => {
  const { rows } = await pool.query<MachineKindStateCount>({
    name: 'states of machines',
    text: 'SELECT kind, state, count(*)::int AS count FROM machines WHERE ended_at IS NULL GROUP BY 1, 2',
  });
  return rows;
};

/** What happened in one minute since `from`. */
export interface CallMinuteCount {
  minute: number;
  what: CallHappening;
  count: number;
}

/**
 * Attempts by minute since `from` (epoch milliseconds, an hour ago at most): machines of calls rest for an hour after they
 * ended, so that theirs are all there are.
 */
export const countCallAttemptsByMinute = async (pool: Pool, from: number): Promise<CallMinuteCount[]> => {
  const { rows } = await pool.query<CallMinuteCount>({
    name: 'attempts by minute',
    text: `WITH recent AS (SELECT c.dialed_at, c.answered_at, c.ended_at, c.status, c.reason, c.attempt, c.attempts
        FROM machines m JOIN calls c ON c.account_id = m.account_id AND c.id = m.id
        WHERE m.kind = 'call' AND c.dialed_at >= $1),
      every AS (${everyAttemptSql('recent')})
      SELECT ((at - $1) / 60000)::int AS minute, what, count(*)::int AS count
      FROM (${happenedSql('every')}) AS happened WHERE at >= $1 GROUP BY 1, 2`,
    values: [from],
  });
  return rows;
};

export interface MessageOutcomeCount {
  /** A message's channel; `callback`, or another purpose of a delivery. */
  channel: string;
  state: string;
  count: number;
}

/** Messages, and deliveries, of these accounts with ids from `fromId` on, by where they stand. */
export const countMessageOutcomes = async (
  pool: Pool,
  { accounts, fromId }: { accounts: readonly number[]; fromId: number },
): Promise<MessageOutcomeCount[]> => {
  const { rows } = await pool.query<MessageOutcomeCount>({
    name: 'outcomes of messages and deliveries',
    text: `SELECT channel, state, count(*)::int AS count FROM messages WHERE account_id = ANY($1::int[]) AND id >= $2
        GROUP BY 1, 2
      UNION ALL SELECT purpose, state, count(*)::int FROM deliveries WHERE account_id = ANY($1::int[]) AND id >= $2
        GROUP BY 1, 2`,
    values: [accounts, fromId],
  });
  return rows;
};

export interface DeadLetterCount {
  account_id: number;
  target: string;
  count: number;
  last_error: string;
  /** When the oldest of them began, epoch milliseconds. */
  since: number;
}

/** Dead letters by account and receiver, the most first. Reads the table of machines. */
export const countDeadLetters = async (pool: Pool): Promise<DeadLetterCount[]> => {
  const { rows } = await pool.query<DeadLetterCount>({
    name: 'dead letters by receiver',
    text: `SELECT d.account_id, d.target, count(*)::int AS count, max(d.last_error) AS last_error,
        min(d.created_at) AS since
      FROM machines m JOIN deliveries d ON d.account_id = m.account_id AND d.id = m.id
      WHERE m.kind = 'delivery' AND m.state = 'deadLetter' AND m.ended_at IS NULL
      GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 50`,
  });
  return rows;
};

export interface CampaignFigures {
  account_id: number;
  id: number;
  name: string;
  state: string;
  phase: string;
  reason: string;
  calls_per_minute: number | null;
  destinations: number;
  skipped: number;
  made: number;
  answered: number;
  ended: number;
  date_end: string;
  time_end: string;
}

/** Campaigns that are not over, the newest first. */
export const runningCampaigns = async (pool: Pool, limit: number): Promise<CampaignFigures[]> => {
  const { rows } = await pool.query<CampaignFigures>({
    name: 'running campaigns',
    text: `SELECT account_id, id, name, state, phase, reason, calls_per_minute, destinations, skipped, made, answered,
        ended, date_end, time_end
      FROM campaigns WHERE NOT model AND state IN ('loading', 'active', 'paused') ORDER BY created_at DESC LIMIT $1`,
    values: [limit],
  });
  return rows;
};
