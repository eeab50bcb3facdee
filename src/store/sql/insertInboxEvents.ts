import type { Pool } from 'pg';
import { WriterOutOfTurnError, type CommitFencingToken } from '../../engine/contract/store.ts';
import {
  packBigintArrayParameter,
  packIntegerArrayParameter,
  formatArrayLiteral,
  type SqlParameter,
} from './packArrayParameters.ts';
import { type Mode, writerTurnSql, writerTurnParameters } from './commit/advanceWriterSequenceNumber.ts';
import { WAL_POSITION_SQL } from './position.ts';
import { SHARD_IS_OPEN_SQL } from './shardOpenAndTimeline.ts';
import type { MachineInboxRow } from '../../engine/contract/rows.ts';

/** Leaves events for machines that other nodes hold; in its writer's turn, where there is a ticket. Throws `WriterOutOfTurnError`. */
export const insertInboxEvents = async (
  pool: Pool,
  rows: readonly MachineInboxRow[],
  ticket?: CommitFencingToken,
  mode: Mode = 'new',
): Promise<void> => {
  const turn = ticket ? writerTurnSql(6, mode) : `turn AS (SELECT 1 WHERE ${SHARD_IS_OPEN_SQL})`;
  const { rows: found } = await pool.query<{ turn: boolean; position: number }>({
    name: `leave ${ticket ? mode : ''}`,
    text: `WITH ${turn}, l AS (INSERT INTO inbox (account_id, machine_id, id, event, at)
      SELECT * FROM unnest($1::int[], $2::bigint[], $3::bigint[], $4::json[], $5::bigint[])
      WHERE EXISTS (SELECT 1 FROM turn) ON CONFLICT DO NOTHING)
      SELECT EXISTS (SELECT 1 FROM turn) AS turn, ${WAL_POSITION_SQL} AS position`,
    values: [...valuesOf(rows), ...(ticket ? writerTurnParameters(ticket) : [])],
  });
  const { turn: isTurn, position } = found[0]!;
  if (!isTurn) throw new WriterOutOfTurnError('the writer is out of turn, or the shard is not open');
  if (ticket) ticket.position = position;
};

const valuesOf = (rows: readonly MachineInboxRow[]): SqlParameter[] => [
  packIntegerArrayParameter(rows, ({ account }) => account),
  packBigintArrayParameter(rows, ({ machine }) => machine),
  packBigintArrayParameter(rows, ({ id }) => id),
  formatArrayLiteral(rows, ({ event }) => event),
  packBigintArrayParameter(rows, ({ at }) => at),
];
