/**
 * How often caller ids were shown in the last hour: a row for each minute. Who counts holds a lock of the account, so that no
 * limit is passed by several processes together. In the shard.
 */
import type { Pool } from 'pg';
import { firstIdAt } from '../engine/contract/idGenerator.ts';
import type { CallerIdHour } from '../rules/trunks/chooseCallerId.ts';

export type CallerIdHourUsage = Pick<CallerIdHour, 'calls' | 'freeAt'>;

/** Answered calls of those that ended. */
export type CallerIdAnsweredCounts = Pick<CallerIdHour, 'ended' | 'answered'>;

/** Of whom, and when: epoch milliseconds. */
interface Of {
  account: number;
  at: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The minute that has begun and the sixty before it: no sixty minutes hold more than these count. */
const MINUTES = 61;
/** Calls that were placed earlier than this are not looked at, though they may have been dialled since. */
const PLACED_MS = 24 * HOUR_MS;

const SELECT = `SELECT caller_id AS "callerId", sum(calls)::int AS calls, min(minute) AS oldest
  FROM caller_id_uses WHERE account_id = $1 AND minute > $2 GROUP BY caller_id`;

const COUNT = `WITH gone AS (DELETE FROM caller_id_uses WHERE account_id = $1 AND minute <= $4)
  INSERT INTO caller_id_uses (account_id, caller_id, minute, calls) VALUES ($1, $2, $3, 1)
  ON CONFLICT (account_id, caller_id, minute) DO UPDATE SET calls = caller_id_uses.calls + 1`;

const ANSWERS = `SELECT caller_id AS "callerId", count(*)::int AS ended, count(*) FILTER (WHERE status = 'OK')::int AS answered
  FROM calls
  WHERE account_id = $1 AND id >= $2 AND ended_at >= $3 AND dialed_at IS NOT NULL AND status <> '' GROUP BY caller_id`;

interface UsesRow {
  callerId: string;
  calls: number;
  oldest: number;
}

/** Each caller id that was shown in the last hour. */
export const readRecentCallerIdUses = async (
  pool: Pick<Pool, 'query'>,
  { account, at }: Of,
): Promise<Map<string, CallerIdHourUsage>> => {
  const { rows } = await pool.query<UsesRow>(SELECT, [account, minuteOf(at) - MINUTES]);
  return new Map(
    rows.map(({ callerId, calls, oldest }) => [callerId, { calls, freeAt: (oldest + MINUTES) * MINUTE_MS }]),
  );
};

/**
 * Counts the caller id that is chosen by how often each was shown; `choose` answers undefined where none may be. No other
 * process chooses for the account meanwhile.
 */
export const takeCallerId = async (
  pool: Pool,
  of: Of,
  choose: (uses: ReadonlyMap<string, CallerIdHourUsage>) => string | undefined,
): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '2s';
      SELECT pg_advisory_xact_lock(hashtextextended('ramal caller ids ${Math.floor(of.account)}', 0))`);
    const chosen = choose(await readRecentCallerIdUses(client, of));
    const minute = minuteOf(of.at);
    if (chosen !== undefined) await client.query(COUNT, [of.account, chosen, minute, minute - MINUTES]);
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    // What it had begun ends with the connection.
    client.release(true);
    throw error;
  }
};

/** Calls that ended in the last hour, by the caller id that they showed last. */
export const countAnsweredCallsByCallerId = async (
  pool: Pick<Pool, 'query'>,
  { account, at }: Of,
): Promise<Map<string, CallerIdAnsweredCounts>> => {
  const since = at - HOUR_MS;
  const values = [account, firstIdAt(at - PLACED_MS), since];
  const { rows } = await pool.query<CallerIdAnsweredCounts & { callerId: string }>(ANSWERS, values);
  return new Map(rows.map(({ callerId, ended, answered }) => [callerId, { ended, answered }]));
};

const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS);
