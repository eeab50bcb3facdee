/** What no machine writes: numbers on block lists, balances that an operator moves, and what is reserved for calls. */
import type { Pool } from 'pg';
import { WriterOutOfTurnError, type CommitFencingToken } from '../../engine/contract/store.ts';
import { MONEY_BALANCE_NAME } from '../balances.ts';
import {
  packBigintArrayParameter,
  packIntegerArrayParameter,
  formatArrayLiteral,
  type SqlParameter,
} from './packArrayParameters.ts';
import {
  isWriterTurnSql,
  type Mode,
  writerTurnSql,
  writerTurnParameters,
} from './commit/advanceWriterSequenceNumber.ts';
import { WAL_POSITION_SQL } from './position.ts';
import type { Kept, NonMachineRecordsToWrite } from '../../engine/contract/rows.ts';

const TICKET_AT = 17;

const IS_TURN = `EXISTS (SELECT 1 FROM turn)`;

/**
 *   b, f, m  what is to be blocked; what is to be free of it; what is to be booked that the ledger does not know
 *   p        the balances, locked as the steps of machines lock them
 *   short    debits that their balance does not bear: nothing is written; what is written again was borne then
 *   opened, taken, put   credits, debits, and balances that are brought to an amount
 *
 * The position is read last: rows that others write too are locked by then.
 */
const textOf = (mode: Mode): string => `WITH
b AS (SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::bigint[], $5::boolean[])
  AS t(account_id, number, reason, created_at, replaces)),
f AS (SELECT * FROM unnest($13::int[], $14::text[]) AS t(account_id, number)),
m AS MATERIALIZED (SELECT * FROM unnest($6::bigint[], $7::int[], $8::bigint[], $9::boolean[], $10::text[], $11::text[], $12::bigint[],
  $15::int[], $16::bigint[]) AS t(id, account_id, amount, sets, entry, note, at, payer_id, machine_id)
  WHERE NOT EXISTS (SELECT 1 FROM ledger l WHERE l.account_id = t.account_id AND l.id = t.id)),
p AS MATERIALIZED (SELECT account_id, amount FROM balances
  WHERE name = '${MONEY_BALANCE_NAME}' AND account_id IN (SELECT account_id FROM m) ORDER BY account_id FOR UPDATE),
short AS MATERIALIZED (SELECT 1 FROM m LEFT JOIN p USING (account_id)
  WHERE NOT m.sets AND m.amount < 0 AND coalesce(p.amount, 0) + m.amount < 0),
${writerTurnSql(TICKET_AT, mode, mode === 'new' ? 'AND NOT EXISTS (SELECT 1 FROM short)' : '')},
blocked AS (INSERT INTO blocklist (account_id, number, reason, created_at)
  SELECT account_id, number, reason, created_at FROM b WHERE NOT replaces AND ${IS_TURN} ON CONFLICT DO NOTHING),
changed AS (INSERT INTO blocklist (account_id, number, reason, created_at)
  SELECT account_id, number, reason, created_at FROM b WHERE replaces AND ${IS_TURN}
  ON CONFLICT (account_id, number) DO UPDATE SET reason = excluded.reason RETURNING 1),
freed AS (DELETE FROM blocklist l USING f
  WHERE l.account_id = f.account_id AND l.number = f.number AND ${IS_TURN}),
w AS MATERIALIZED (SELECT * FROM m WHERE ${IS_TURN}),
opened AS (INSERT INTO balances (account_id, name, amount)
  SELECT account_id, '${MONEY_BALANCE_NAME}', amount FROM w WHERE NOT sets AND amount >= 0
  ON CONFLICT (account_id, name) DO UPDATE SET amount = balances.amount + excluded.amount
  RETURNING account_id, new.amount, new.amount - coalesce(old.amount, 0) AS difference),
taken AS (UPDATE balances SET amount = p.amount + w.amount FROM w JOIN p USING (account_id)
  WHERE balances.account_id = w.account_id AND balances.name = '${MONEY_BALANCE_NAME}' AND NOT w.sets AND w.amount < 0
  RETURNING balances.account_id, new.amount, w.amount AS difference),
put AS (INSERT INTO balances (account_id, name, amount) SELECT account_id, '${MONEY_BALANCE_NAME}', amount FROM w WHERE sets
  ON CONFLICT (account_id, name) DO UPDATE SET amount = excluded.amount
  RETURNING account_id, new.amount, new.amount - coalesce(old.amount, 0) AS difference),
moved AS (SELECT * FROM opened UNION ALL SELECT * FROM taken UNION ALL SELECT * FROM put),
entered AS (INSERT INTO ledger (account_id, id, at, entry, amount, note, payer_id, machine_id)
  SELECT account_id, w.id, w.at, coalesce(w.entry, CASE WHEN difference < 0 THEN 'debit' ELSE 'credit' END), difference, w.note,
    w.payer_id, w.machine_id
  FROM moved JOIN w USING (account_id) WHERE difference <> 0)
SELECT ${IS_TURN} AS turn, EXISTS (SELECT 1 FROM short) AND ${isWriterTurnSql(TICKET_AT, mode)} AS short,
  (SELECT json_agg(json_build_array(account_id, amount::text)) FROM moved) AS balances,
  (SELECT count(*)::int FROM changed) AS changed, ${WAL_POSITION_SQL} AS position`;

const TEXTS: Record<Mode, string> = { new: textOf('new'), again: textOf('again') };

interface Found {
  turn: boolean;
  short: boolean;
  balances: [number, string][] | null;
  position: number;
}

/** Writes records in their writer's turn. Throws `WriterOutOfTurnError`. */
export const keep = async (
  pool: Pick<Pool, 'query'>,
  records: NonMachineRecordsToWrite,
  ticket: CommitFencingToken,
  mode: Mode = 'new',
): Promise<Kept> => {
  const { rows } = await pool.query<Found>({
    name: `keep ${mode}`,
    text: TEXTS[mode],
    values: [...valuesOf(records), ...writerTurnParameters(ticket)],
  });
  const { turn, short, balances, position } = rows[0]!;
  if (!turn && short) return { outcome: 'insufficientBalance' };
  if (!turn) throw new WriterOutOfTurnError('the writer is out of turn, or the shard is not open');
  ticket.position = position;
  return {
    outcome: 'kept',
    balances: new Map((balances ?? []).map(([account, amount]) => [account, BigInt(amount)])),
  };
};

const valuesOf = ({ blocked, unblocked, booked }: NonMachineRecordsToWrite): SqlParameter[] => [
  packIntegerArrayParameter(blocked, ({ account }) => account),
  formatArrayLiteral(blocked, ({ number }) => number),
  formatArrayLiteral(blocked, ({ reason }) => reason),
  packBigintArrayParameter(blocked, ({ at }) => at),
  formatArrayLiteral(blocked, ({ replaces }) => replaces),
  packBigintArrayParameter(booked, ({ id }) => id),
  packIntegerArrayParameter(booked, ({ account }) => account),
  packBigintArrayParameter(booked, ({ amount }) => amount),
  formatArrayLiteral(booked, ({ sets }) => sets),
  formatArrayLiteral(booked, ({ entry }) => entry),
  formatArrayLiteral(booked, ({ note }) => note),
  packBigintArrayParameter(booked, ({ at }) => at),
  packIntegerArrayParameter(unblocked, ({ account }) => account),
  formatArrayLiteral(unblocked, ({ number }) => number),
  packIntegerArrayParameter(booked, ({ of }) => of?.payer ?? null),
  packBigintArrayParameter(booked, ({ of }) => of?.machine ?? null),
];
