/**
 * Small ids skip ahead when the database may have gone back: what other hosts gave away, and it forgot, stands in journals
 * that are not at hand. The ids that are skipped are enough for all that can have been given since.
 */
import type { Pool, PoolClient } from 'pg';
import type { EngineLog } from '../../engine/contract/ports.ts';
import { WAL_TIMELINE_SQL } from '../sql/shardOpenAndTimeline.ts';

/** Whatever the clocks say, and for what a standby is behind. */
const LEAST = 1_000;
/** More than all nodes give away in a second. */
const PER_SECOND = 100;
/** A database that was idle for weeks is not weeks behind. */
const MOST = 1_000_000;
/** Counters are 32 bits. */
const HIGHEST = 2 ** 31 - 2;

/** A copy that is restored in its place is another database, or has another file. */
export const DATABASE_COPY_IDENTITY_SQL = `concat_ws(' ', (SELECT system_identifier FROM pg_control_system()),
  CASE WHEN NOT pg_is_in_recovery() THEN ${WAL_TIMELINE_SQL} END,
  (SELECT oid FROM pg_database WHERE datname = current_database()), pg_relation_filenode(to_regclass('row_writers')))`;

/** A copy may also be restored file by file, while the server is stopped. */
export const DATABASE_SERVER_START_SQL = `(extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint::text`;

/** What this process knows of the database, beside what stands there. */
export interface KnownDatabaseHistory {
  /** A journal at hand, or this process, has writes that the database lacks. */
  lacks: boolean;
  /** `DATABASE_SERVER_START_SQL` of the server that this process used before; undefined: none. */
  started: string | undefined;
}

/**
 * Settles when ids that are reserved from now on were given away by no history that this one follows: once for each. To be
 * called before a connection is used.
 */
export const skipSmallIdsAhead = async (
  pool: Pool,
  known: KnownDatabaseHistory,
  log: EngineLog,
): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await skipIn(client, known, log);
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
};

const skipIn = async (client: PoolClient, known: KnownDatabaseHistory, log: EngineLog): Promise<void> => {
  const found = await standingOf(client);
  if (found.history === found.notedHistory && found.started === found.notedStarted) return;
  const isOther = found.notedHistory !== null && found.history !== found.notedHistory;
  const isSeenAnew = known.started !== undefined && known.started !== found.started;
  // A server that was started anew, and of which this process knows nothing else, is left to those that do.
  if (found.notedHistory !== null && !isOther && !known.lacks && !isSeenAnew) return;
  if (isOther || known.lacks || isSeenAnew) await raise(client, skippedFor(found.behindSeconds), log);
  await client.query('UPDATE shard_state SET counters_history = $1, counters_server = $2', [
    found.history,
    found.started,
  ]);
};

interface Found {
  history: string;
  started: string;
  notedHistory: string | null;
  notedStarted: string | null;
  /** Since its last write. */
  behindSeconds: number;
}

const standingOf = async (client: PoolClient): Promise<Found> => {
  // Two that see it at once take turns, and the later one finds the note.
  await client.query('SELECT FROM shard_state FOR UPDATE');
  const { rows } = await client.query<Found>(
    `SELECT ${DATABASE_COPY_IDENTITY_SQL} AS history, ${DATABASE_SERVER_START_SQL} AS started, counters_history AS "notedHistory",
       counters_server AS "notedStarted", greatest(0, extract(epoch FROM clock_timestamp())
         - (SELECT coalesce(max(at), 0) FROM row_writers) / 1000000)::float8 AS "behindSeconds" FROM shard_state`,
  );
  return rows[0]!;
};

const skippedFor = (behindSeconds: number): number =>
  Math.min(MOST, LEAST + Math.ceil(behindSeconds * PER_SECOND));

const raise = async (client: PoolClient, by: number, log: EngineLog): Promise<void> => {
  const { rowCount } = await client.query(
    `UPDATE small_ids SET next = least(next::bigint + $1, ${HIGHEST})::int WHERE next < ${HIGHEST}`,
    [by],
  );
  if ((rowCount ?? 0) > 0)
    log.warn(
      { by },
      'the database may have gone back: small ids skip ahead, past those that other hosts may have given away',
    );
};
