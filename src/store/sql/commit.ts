/**
 * The commit: everything a batch of steps leaves, in one statement. Parts that a batch does not need are left out,
 * so the statement has a few shapes, each prepared once a connection.
 *
 *   turn    the writer's number moved on: without it nothing is written
 *   lost    machines whose claims another owner holds: nothing of them is written
 *   short   machines that take more than their balances hold: nothing of them either
 *           (what is written again was judged then, and the database may lack what it was judged by: it is judged once
 *           more only where the answer was lost)
 *   u       machines that stood at the revision their step began from
 *   b       machines born
 *   d       machines born of those in `b`
 *   ok      all three: all else is written for these only
 */
import type { Kind } from '../../engine/contract/kind.ts';
import type { CommitFencingToken } from '../../engine/contract/store.ts';
import type { SqlParameter } from './packArrayParameters.ts';
import { takeKeyClaimsSql, lost, releaseKeyClaimsSql } from './commit/keyClaims.ts';
import { insertMachinesSql, insertChildrenOfNewMachinesSql, updateMachinesSql } from './commit/machines.ts';
import { createJournalLineFormatter } from './commit/journalLine.ts';
import type { CommitPreconditions, Part } from './commit/commitStatementPart.ts';
import { book, lockBalancesAndFindShortSql } from './commit/balances.ts';
import { recordTableSql } from './commit/records.ts';
import { deleteInboxSql, insertHistorySql, insertInboxSql } from './commit/historyAndInbox.ts';
import { type Mode, turn } from './commit/advanceWriterSequenceNumber.ts';
import { WAL_POSITION_SQL } from './position.ts';
import type { MachineWrite } from '../../engine/contract/rows.ts';

export interface CommitStatement {
  /** Names the shape, for the prepared statement. */
  name: string;
  text: string;
  values: SqlParameter[];
}

/**
 * Makes the statement of a batch, and its line for the journal (`CommitFencingToken.line`). `at`: claims that ran out by then are free.
 * `isJudged`: claims and balances are asked; default: of what is new. Throws `RangeError` for a number that its column cannot
 * hold.
 */
export type BuildCommitStatement = (
  batch: readonly MachineWrite[],
  at: number,
  ticket?: CommitFencingToken,
  mode?: Mode,
  isJudged?: boolean,
) => CommitStatement;

/** From so many steps on a line of columns costs less than one that is laid out step by step (`formatJournalLine`). */
const LEAST_STEPS = 4;

export const createCommitStatementBuilder = (kinds: readonly Kind[]): BuildCommitStatement => {
  const texts = new Map<string, string>();
  const layLine = createJournalLineFormatter();
  const records = recordTableSql(kinds);
  return (batch, at, ticket, mode = 'new', isJudged = mode === 'new') => {
    const claims = batch.some((write) => write.claims.length > 0);
    const bookings = batch.some((write) => write.bookings.length > 0);
    const preconditions = {
      lost: claims && isJudged,
      short: bookings && isJudged,
      turn: ticket !== undefined,
    };
    const machines = machineParts(batch, preconditions, mode);
    const parts = [
      ...(ticket ? [turn(ticket, mode)] : []),
      ...(bookings ? [lockBalancesAndFindShortSql(batch)] : []),
      ...(preconditions.lost ? [lost(batch)] : []),
      ...machines,
      written(machines),
      ...(claims ? [takeKeyClaimsSql(batch, isJudged)] : []),
      ...releaseKeyClaimsSql(batch),
      ...book(batch),
      ...insertHistorySql(batch),
      ...insertInboxSql(batch),
      ...deleteInboxSql(batch),
      ...records(batch),
    ];
    const own = preconditions.lost ? [String(at)] : [];
    const name = parts.map(({ letter }) => letter).join('');
    let text = texts.get(name);
    if (text === undefined) texts.set(name, (text = textOf(parts, own.length + 1, ticket !== undefined)));
    if (ticket && mode === 'new' && batch.length >= LEAST_STEPS) ticket.line = layLine(name, parts, at);
    const given = ticket ? [String(batch.length)] : [];
    return { name, text, values: [...own, ...parts.flatMap(({ values }) => values), ...given] };
  };
};

const machineParts = (
  batch: readonly MachineWrite[],
  preconditions: CommitPreconditions,
  mode: Mode,
): Part[] => {
  const updates = batch.filter((write) => !write.insert);
  const newborn = new Set<number | null>(batch.filter((write) => write.insert).map(({ id }) => id));
  const births = batch.filter((write) => write.insert && !newborn.has(write.parent));
  const ofNewborns = batch.filter((write) => write.insert && newborn.has(write.parent));
  return [
    ...(updates.length > 0 ? [updateMachinesSql(updates, preconditions, mode)] : []),
    ...(births.length > 0 ? [insertMachinesSql(births, preconditions, updates.length > 0)] : []),
    ...(ofNewborns.length > 0 ? [insertChildrenOfNewMachinesSql(ofNewborns, preconditions)] : []),
  ];
};

const written = (machines: readonly Part[]): Part => {
  const sources = machines.map(({ letter }) => `SELECT account_id, id FROM ${letter.slice(0, 1)}`);
  return { letter: 'o', values: [], sql: () => `ok AS (${sources.join(' UNION ALL ')})` };
};

const textOf = (parts: readonly Part[], firstParameter: number, inTurn: boolean): string => {
  let parameter = firstParameter;
  const expressions = parts.map((part) => {
    const sql = part.sql(parameter);
    parameter += part.values.length;
    return sql;
  });
  const found = inTurn
    ? `EXISTS (SELECT 1 FROM turn) AS turn, ${WAL_POSITION_SQL} AS position,
  CASE WHEN count(*) < $${parameter}::int THEN json_agg(id) END AS landed`
    : 'true AS turn';
  return `WITH ${expressions.join(',\n')}\nSELECT count(*)::int AS n, ${found} FROM ok`;
};
