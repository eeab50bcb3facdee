import type { Pool } from 'pg';
import { OutOfTurn, type CommitTicket } from '../../engine/contract/store.ts';
import { packBigints, packIntegers, formatArrayLiteral, type SqlParameter } from './packArrayParameters.ts';
import { type Mode, writerTurnSql, writerTurnParameters } from './commit/writerFence.ts';
import { POSITION } from './position.ts';
import { IS_OPEN } from './shardState.ts';
import type { MachineInboxRow } from '../../engine/contract/rows.ts';

/** Leaves events for machines that other nodes hold; in its writer's turn, where there is a ticket. Throws `OutOfTurn`. */
export const insertInboxEvents = async (
  pool: Pool,
  rows: readonly MachineInboxRow[],
  ticket?: CommitTicket,
  mode: Mode = 'new',
): Promise<void> => {
  const turn = ticket ? writerTurnSql(6, mode) : `turn AS (SELECT 1 WHERE ${IS_OPEN})`;
  const { rows: found } = await pool.query<{ turn: boolean; position: number }>({
    name: `leave ${ticket ? mode : ''}`,
    text: `WITH ${turn}, l AS (INSERT INTO inbox (account_id, machine_id, id, event, at)
      SELECT * FROM unnest($1::int[], $2::bigint[], $3::bigint[], $4::json[], $5::bigint[])
      WHERE EXISTS (SELECT 1 FROM turn) ON CONFLICT DO NOTHING)
      SELECT EXISTS (SELECT 1 FROM turn) AS turn, ${POSITION} AS position`,
    values: [...valuesOf(rows), ...(ticket ? writerTurnParameters(ticket) : [])],
  });
  const { turn: isTurn, position } = found[0]!;
  if (!isTurn) throw new OutOfTurn('the writer is out of turn, or the shard is not open');
  if (ticket) ticket.position = position;
};

const valuesOf = (rows: readonly MachineInboxRow[]): SqlParameter[] => [
  packIntegers(rows, ({ account }) => account),
  packBigints(rows, ({ machine }) => machine),
  packBigints(rows, ({ id }) => id),
  formatArrayLiteral(rows, ({ event }) => event),
  packBigints(rows, ({ at }) => at),
];
