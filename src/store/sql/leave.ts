import type { Pool } from 'pg';
import { OutOfTurn, type Ticket } from '../../engine/contract/store.ts';
import { bigints, integers, literals, type Parameter } from './arrays.ts';
import { type Mode, turnSql, turnValues } from './commit/turn.ts';
import { POSITION } from './position.ts';
import { IS_OPEN } from './standing.ts';
import type { InboxRow } from '../../engine/contract/rows.ts';

/** Leaves events for machines that other nodes hold; in its writer's turn, where there is a ticket. Throws `OutOfTurn`. */
export const leave = async (
  pool: Pool,
  rows: readonly InboxRow[],
  ticket?: Ticket,
  mode: Mode = 'new',
): Promise<void> => {
  const turn = ticket ? turnSql(6, mode) : `turn AS (SELECT 1 WHERE ${IS_OPEN})`;
  const { rows: found } = await pool.query<{ turn: boolean; position: number }>({
    name: `leave ${ticket ? mode : ''}`,
    text: `WITH ${turn}, l AS (INSERT INTO inbox (account_id, machine_id, id, event, at)
      SELECT * FROM unnest($1::int[], $2::bigint[], $3::bigint[], $4::json[], $5::bigint[])
      WHERE EXISTS (SELECT 1 FROM turn) ON CONFLICT DO NOTHING)
      SELECT EXISTS (SELECT 1 FROM turn) AS turn, ${POSITION} AS position`,
    values: [...valuesOf(rows), ...(ticket ? turnValues(ticket) : [])],
  });
  const { turn: isTurn, position } = found[0]!;
  if (!isTurn) throw new OutOfTurn('the writer is out of turn, or the shard is not open');
  if (ticket) ticket.position = position;
};

const valuesOf = (rows: readonly InboxRow[]): Parameter[] => [
  integers(rows, ({ account }) => account),
  bigints(rows, ({ machine }) => machine),
  bigints(rows, ({ id }) => id),
  literals(rows, ({ event }) => event),
  bigints(rows, ({ at }) => at),
];
