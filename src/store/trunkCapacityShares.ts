/** Shares of trunks: one row for each trunk and process. Who changes them holds a lock, so that they add up. In the control database. */
import type { Pool } from 'pg';
import type {
  DecideProcessTrunkShares,
  ProcessTrunkShareRow,
  TrunkSizes,
} from '../rules/trunks/trunkShareOfProcess.ts';

const SELECT = `SELECT trunk_id AS trunk, process, calls_per_second AS "callsPerSecond", legs, held, waits, beat::float8 AS beat
  FROM trunk_shares`;

/** Read under the lock: a limit that was lowered holds for each share that is taken after that. */
const SIZES = `SELECT id, calls_per_second AS "callsPerSecond", legs FROM trunks`;

const DELETE = `DELETE FROM trunk_shares WHERE process = ANY($1) OR (process = $2 AND NOT trunk_id = ANY($3))`;

const WRITE = `INSERT INTO trunk_shares (trunk_id, process, calls_per_second, legs, held, waits, beat)
  SELECT trunk, process, "callsPerSecond", legs, held, waits, beat
  FROM json_to_recordset($1) AS one(trunk int, process text, "callsPerSecond" int, legs int, held int, waits bool, beat bigint)
  ON CONFLICT (trunk_id, process) DO UPDATE SET calls_per_second = excluded.calls_per_second, legs = excluded.legs,
    held = excluded.held, waits = excluded.waits, beat = excluded.beat`;

interface Size {
  id: number;
  callsPerSecond: number;
  legs: number;
}

/** Reads all rows and writes those of a process in one transaction that no other can overlap. Settles when it is committed. */
export const exchangeTrunkShares = async (
  pool: Pool,
  process: string,
  decide: DecideProcessTrunkShares,
): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '2s'`);
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('ramal trunk shares', 0))`);
    const { rows } = await client.query<ProcessTrunkShareRow>(SELECT);
    const sizes: TrunkSizes = new Map(
      (await client.query<Size>(SIZES)).rows.map(({ id, ...size }) => [id, size]),
    );
    const { own, ended } = decide(rows, sizes);
    await client.query(DELETE, [ended, process, own.map(({ trunk }) => trunk)]);
    if (own.length > 0) await client.query(WRITE, [JSON.stringify(own)]);
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    // What it had begun ends with the connection.
    client.release(true);
    throw error;
  }
};
