import type { Pool } from 'pg';
import { firstIdAt, nextIdAboveStepIdsSql } from '../../engine/contract/idGenerator.ts';
import {
  WriterOutOfTurnError,
  type ShardMachineStore,
  type TakenOverMachine,
} from '../../engine/contract/store.ts';
import { formatArrayLiteral } from './packArrayParameters.ts';
import { writerTurnSql, writerTurnParameters } from './commit/advanceWriterSequenceNumber.ts';
import { WAL_POSITION_SQL } from './position.ts';
import { SHARD_IS_OPEN_SQL } from './shardOpenAndTimeline.ts';

const DAY_MS = 86_400_000;

/**
 * A dead incarnation's rows are walked by key, so that each chunk begins where the last one ended. The key compared has
 * its holder in front, or the planner walks all machines by theirs: every two seconds, as long as the dead are listed.
 */
const DEAD = `held_by = $1::bigint AND (held_by, account_id, id) > ($1::bigint, $6::int, $7::bigint) AND ended_at IS NULL
        AND kind || ':' || version = ANY($5::text[]) AND $9::bigint IS NOT NULL ORDER BY held_by, account_id, id`;
/** Ids of steps tell when they were taken: a row that its holder stepped since is in good hands. */
const OVERDUE = `wake_at < $1::bigint AND step_id < $9::bigint AND held_by <> $2 AND ended_at IS NULL
        AND kind || ':' || version = ANY($5::text[]) AND $6::int IS NOT NULL AND $7::bigint IS NOT NULL`;

/** Gives rows of the dead (or overdue ones of the living) a new holder, each with its entry in the history. */
export const takeOverMachines = async (
  pool: Pool,
  request: Parameters<ShardMachineStore['takeUp']>[0],
): Promise<TakenOverMachine[]> => {
  const { dead, after, overdue, heldBy, stepId, at, known, limit, ticket } = request;
  const { rows } = await pool.query<TakenOverMachine & Found>({
    name: `${dead === null ? 'takeUpOverdue' : 'takeUpDead'}${ticket ? 'InTurn' : ''}`,
    text: `WITH due AS (
        SELECT account_id, id, held_by AS "from" FROM machines
        WHERE ${SHARD_IS_OPEN_SQL} AND ${dead === null ? OVERDUE : DEAD}
        LIMIT $8 FOR UPDATE SKIP LOCKED),
      ${ticket ? `${writerTurnSql(10, 'new', 'AND EXISTS (SELECT 1 FROM due)')},` : ''}
      taken AS (
        UPDATE machines m SET held_by = $2, step_id = ${nextIdAboveStepIdsSql('m.step_id', '$3::bigint')}, revision = m.revision + 1 FROM due
        WHERE m.account_id = due.account_id AND m.id = due.id ${ticket ? 'AND EXISTS (SELECT 1 FROM turn)' : ''}
        RETURNING m.account_id, m.id, m.kind, m.version, m.revision, m.state, m.agenda, m.wake_at, m.held_by, m.step_id,
          due."from"),
      entry AS (
        INSERT INTO history (account_id, machine_id, revision, day, at, event, payload, state)
        SELECT account_id, id, revision, $4::bigint / ${DAY_MS}, $4::bigint, 'takenOver',
               json_build_object('from', "from", 'by', held_by), state FROM taken)
      SELECT account_id AS account, id, kind, version, revision, state, agenda, wake_at AS "wakeAt",
        held_by AS "heldBy", step_id AS "stepId", "from", d.n AS "dueCount", ${WAL_POSITION_SQL} AS position
      FROM (SELECT count(*)::int AS n FROM due) d LEFT JOIN taken ON true`,
    values: [
      dead ?? overdue,
      heldBy,
      stepId,
      at,
      formatArrayLiteral(known, (version) => version),
      after?.account ?? -1,
      after?.id ?? -1,
      limit,
      firstIdAt(overdue ?? 0),
      ...(ticket ? writerTurnParameters(ticket) : []),
    ],
  });
  const first = rows[0];
  if (!first || first.dueCount === 0) return [];
  if (first.id === null)
    throw new WriterOutOfTurnError('the writer is out of turn, or the shard is not open');
  if (ticket) ticket.position = first.position;
  return rows.map(({ dueCount: _count, position: _position, ...row }) => row);
};

/** Which rows were taken up by statements whose answer did not come. */
export const findTakenOverMachines = async (
  pool: Pool,
  { heldBy, statements, limit }: Parameters<ShardMachineStore['findTakenOver']>[0],
): Promise<(TakenOverMachine & { takenAt: number })[]> => {
  const moments = statements.map(({ at }) => at);
  const { rows } = await pool.query<TakenOverMachine & { takenAt: number }>({
    name: 'findTakenOver',
    text: `SELECT m.account_id AS account, m.id, m.kind, m.version, h.revision, m.state, m.agenda, m.wake_at AS "wakeAt",
        m.held_by AS "heldBy", m.step_id AS "stepId", (h.payload ->> 'from')::bigint AS "from", h.at AS "takenAt"
      FROM machines m JOIN history h ON h.account_id = m.account_id AND h.machine_id = m.id
        AND h.day = ANY($3::int[]) AND h.at = ANY($4::bigint[]) AND h.event = 'takenOver'
      WHERE m.held_by = $1 AND m.ended_at IS NULL AND m.step_id >= $2 LIMIT $5`,
    values: [
      heldBy,
      Math.min(...statements.map(({ stepId }) => stepId)),
      [...new Set(moments.map((at) => Math.floor(at / DAY_MS)))],
      moments,
      limit,
    ],
  });
  return rows;
};

/** Stands in every row of the answer. */
interface Found {
  /** Rows that were to be taken up. */
  dueCount: number;
  position: number;
}
