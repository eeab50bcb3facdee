/** Call records of months past, made in the database: as a service that ran for long would have them. */
import type { Pool } from 'pg';
import { firstIdAt } from '../../../src/engine/contract/idGenerator.ts';

const DAY_MS = 86_400_000;
/** They lie this far back at most. */
const DAYS = 180;

/** The ids of the records, newest first, as a formula. */
export interface Records {
  count: number;
  /** The id of the n-th newest, from 0. */
  id(n: number): number;
}

/** Indexes that are cheaper made at once, at the end. */
const indexesOf = async (pool: Pool): Promise<{ name: string; made: string }[]> => {
  const { rows } = await pool.query<{ name: string; made: string }>(
    `SELECT indexname AS name, indexdef AS made FROM pg_indexes
     WHERE schemaname = current_schema() AND tablename = 'calls' AND indexname <> 'calls_pkey'`,
  );
  return rows;
};

/** Writes so many records of finished calls: answered, busy and unanswered ones, spread evenly over half a year. */
export const writeRecords = async (pool: Pool, account: number, count: number): Promise<Records> => {
  const last = Date.now() - DAY_MS;
  const everyMs = Math.floor((DAYS * DAY_MS) / count);
  const id = (n: number): number => firstIdAt(last - n * everyMs);
  const perMs = firstIdAt(last) - firstIdAt(last - 1);
  const indexes = await indexesOf(pool);
  for (const { name } of indexes) await pool.query(`DROP INDEX ${name}`);
  await pool.query(
    `INSERT INTO calls (account_id, id, requested_at, destination, customer_campaign, correlation, caller_id, mode,
       audio_key, status, reason, called_at, dialed_at, answered_at, ended_at, attempt, response_1, route,
       hangup_cause, sip_status, attempts, finished)
     SELECT $1, $2::bigint - n * $3::bigint, at, '5511' || (900000000 + n % 99999999), 'campaign-' || n % 400, 'order-' || n,
       '551130000000', 'menu', md5((n % 1000)::text), status, CASE status WHEN 'OK' THEN 'completed' ELSE lower(status) END,
       at + 900, at + 900, CASE status WHEN 'OK' THEN at + 9000 END, at + 40000, 1,
       CASE status WHEN 'OK' THEN (n % 10)::text ELSE '' END, 'sandbox', 16, 200,
       json_build_array(json_build_object('attempt', 1, 'status', status, 'dialedAt', at + 900, 'endedAt', at + 40000, 'cause', 16))::text,
       true
     FROM generate_series(0, $4::int - 1) AS n,
       LATERAL (SELECT $5::bigint - n * $6::bigint AS at, (ARRAY['OK', 'OK', 'BUSY', 'NOANSWER'])[1 + n % 4] AS status) AS c
     ORDER BY n DESC`,
    [account, id(0), everyMs * perMs, count, last, everyMs],
  );
  for (const { made } of indexes) await pool.query(made);
  await pool.query('VACUUM ANALYZE calls');
  return { count, id };
};
