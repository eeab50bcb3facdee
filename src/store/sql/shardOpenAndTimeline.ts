/** How a shard stands, in its database: whether it is open, and what speaks against what its nodes know. */
import type { Pool } from 'pg';
import type { NodeRow, ShardMachineStore, ShardStatus } from '../../engine/contract/store.ts';

/** When the server was started, epoch milliseconds. */
export const POSTGRES_STARTED_MS_SQL = `(extract(epoch FROM pg_postmaster_start_time()) * 1000)::bigint`;

/** The timeline that the server writes: a standby that is promoted, and a restore to a point in time, begin a new one. */
export const WAL_TIMELINE_SQL = `substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`;

/** The cluster's own name, which its copies share. */
const SYSTEM = `(SELECT system_identifier::text FROM pg_control_system())`;

/** The shard is open, on this server's history. */
export const SHARD_IS_OPEN_SQL = `EXISTS (SELECT 1 FROM shard_state WHERE state = 'open' AND coalesce(timeline, ${WAL_TIMELINE_SQL}) = ${WAL_TIMELINE_SQL})`;

/** Whether machines of the shard may step. */
export const isShardOpen = async (pool: Pool): Promise<boolean> =>
  (await pool.query<{ open: boolean }>(`SELECT ${SHARD_IS_OPEN_SQL} AS open`)).rows[0]!.open;

/** A node that has not stopped yet stops at that time; in doubt it may have written what the database has forgotten. */
export const stopNodeSql = (at: string): string =>
  `stopped_at = coalesce(stopped_at, ${at}), stopped_in_doubt = stopped_in_doubt OR stopped_at IS NULL AND NOT ${SHARD_IS_OPEN_SQL}`;

/** Each state of a shard begins after the one before, whatever clocks say: one that is older than another is of the past. */
const laterThanSince = (at: string): string => `greatest(${at}::bigint, since + 1)`;
const sinceAfter = (at: string): string => `since = ${laterThanSince(at)}`;

const MISSING_CONFIRMATIONS = `SELECT incarnation, slot, name, process, beats, beat_at AS "beatAt", stopped_at AS "stoppedAt",
  server_since AS "serverSince" FROM nodes n WHERE n.confirmed IS DISTINCT FROM $1::int AND (n.stopped_at IS NULL OR n.stopped_in_doubt
  OR EXISTS (SELECT 1 FROM machines m WHERE m.held_by = n.incarnation AND m.ended_at IS NULL))
  ORDER BY incarnation LIMIT 20`;

/**
 * What nodes wrote that stopped in doubt, or that this server never heard, is there again, or given up, once the shard is
 * `opened`: they are not asked after again, whichever server it is started on next.
 */
const SETTLE_STOPS = `UPDATE nodes SET stopped_in_doubt = false,
  server_since = CASE WHEN server_since = ${POSTGRES_STARTED_MS_SQL} THEN server_since END
  WHERE (stopped_in_doubt OR stopped_at IS NULL) AND EXISTS (SELECT 1 FROM opened)`;

type Parts = Pick<
  ShardMachineStore,
  | 'standing'
  | 'doubt'
  | 'doubtAnew'
  | 'close'
  | 'confirm'
  | 'openWhenAllConfirmed'
  | 'reconsider'
  | 'openAfterLoss'
>;

/** Something that was brought is not written yet. */
const IS_PENDING = `EXISTS (SELECT 1 FROM redo)`;

export const shardStateTransitionQueries = (pool: Pool): Parts => {
  const rows = async <Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> =>
    (await pool.query<Row>({ name, text, values })).rows;
  const move = async (from: string, to: string, reason: string, at: number): Promise<boolean> =>
    (
      await rows(
        'moveShard',
        `UPDATE shard_state SET state = $2, reason = $3, ${sinceAfter('$4')}, doubt = doubt + ($2 = 'checking')::int
         WHERE state = $1 RETURNING 1 AS one`,
        [from, to, reason, at],
      )
    ).length > 0;
  return {
    standing: async (incarnation) =>
      (
        await rows<ShardStatus>(
          'standing',
          `SELECT state, reason, doubt, losses, since, identity, restored, settled_at AS "settledAt",
             ${POSTGRES_STARTED_MS_SQL} AS "serverSince",
             system_identifier || '/' || timeline AS opened,
             ${SYSTEM} || '/' || ${WAL_TIMELINE_SQL} AS now,
             coalesce((SELECT json_agg(json_build_object('lane', lane, 'token', token, 'number', number,
               'sent', sent, 'position', position))
               FROM writers WHERE incarnation = $1), '[]') AS writers FROM shard_state`,
          [incarnation],
        )
      )[0]!,
    doubt: async (reason, at) => void (await move('open', 'checking', reason, at)),
    doubtAnew: async ({ doubt, since }, at) =>
      void (await rows(
        'doubtAnew',
        `UPDATE shard_state SET doubt = doubt + 1, ${sinceAfter('$3')}
         WHERE state <> 'open' AND doubt = $1 AND since = $2`,
        [doubt, since, at],
      )),
    close: async (reason, at) => void (await move('checking', 'closed', reason, at)),
    confirm: async (incarnation, doubt) =>
      void (await rows('confirmWrites', `UPDATE nodes SET confirmed = $2 WHERE incarnation = $1`, [
        incarnation,
        doubt,
      ])),
    openWhenAllConfirmed: async (doubt, at) => {
      const missing = await rows<NodeRow>('missingConfirmations', MISSING_CONFIRMATIONS, [doubt]);
      const opened =
        missing.length === 0 &&
        (
          await rows(
            'openWhenAllConfirmed',
            `WITH opened AS (
               UPDATE shard_state SET state = 'open', reason = '', ${sinceAfter('$2')}, system_identifier = ${SYSTEM},
               timeline = ${WAL_TIMELINE_SQL} WHERE state = 'checking' AND doubt = $1 AND NOT ${IS_PENDING} RETURNING 1 AS one
             ), settled AS (${SETTLE_STOPS})
             SELECT one FROM opened`,
            [doubt, at],
          )
        ).length > 0;
      const [found] = opened
        ? []
        : await rows<{ pending: boolean }>('pendingRedo', `SELECT ${IS_PENDING} AS pending`, []);
      return { opened, missing, pending: found?.pending ?? false };
    },
    reconsider: async (at, isLastWord = false) =>
      void (await rows(
        'reconsider',
        `UPDATE shard_state SET state = 'checking', ${sinceAfter('$1')}, restored = false
         WHERE state = 'closed' AND (NOT restored OR $2::boolean)`,
        [at, isLastWord],
      )),
    openAfterLoss: async (at) =>
      (
        await rows(
          'openAfterLoss',
          `WITH dropped AS (DELETE FROM redo), opened AS (
             UPDATE shard_state SET state = 'open', reason = '', ${sinceAfter('$1')}, settled_at = ${laterThanSince('$1')}, losses = losses + 1,
             restored = false, system_identifier = ${SYSTEM}, timeline = ${WAL_TIMELINE_SQL} WHERE state <> 'open' RETURNING 1 AS one
           ), settled AS (${SETTLE_STOPS})
           SELECT one FROM opened`,
          [at],
        )
      ).length > 0,
  };
};

/** Notes the history that a shard begins on, where none is noted. */
export const RECORD_DATABASE_TIMELINE_SQL = `UPDATE shard_state SET system_identifier = ${SYSTEM}, timeline = ${WAL_TIMELINE_SQL}
  WHERE timeline IS NULL AND state = 'open'`;
