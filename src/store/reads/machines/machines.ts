/** Machines as operators look for them. Pages follow the primary key, newest first within an account. */
import type { Pool } from 'pg';
import { type CallHappening, everyAttemptSql, happenedSql } from './callAttemptSql.ts';

export interface MachineListRow {
  account_id: number;
  id: number;
  kind: string;
  version: number;
  revision: number;
  state: string;
  wake_at: number | null;
  held_by: number;
  attention: string | null;
  created_at: number;
  ended_at: number | null;
}

export interface MachineQuery {
  kind?: string;
  /** Any of these states, or of those within them: `talking` finds `talking.asking`. */
  states?: readonly string[];
  /** None of these, nor of those within them. */
  except?: readonly string[];
  account?: number;
  /** Only calls of this campaign. */
  campaign?: number;
  /** A machine's number, or a call's destination or correlation id. */
  text?: string;
  /** Only those that an operator should look at. */
  attention?: true;
  /** Only messages of this channel, and deliveries of this purpose. */
  channel?: string;
  /** Only messages and deliveries whose record is in one of these states. */
  outcomes?: readonly string[];
  /** Only calls to which this happened, from a moment until before another, epoch milliseconds. */
  happened?: { what: CallHappening; from: number; until: number };
  /** Only those that were started then or later, and before `until`; epoch milliseconds. */
  since?: number;
  until?: number;
  /** Only what comes after this row. */
  after?: { account: number; id: number };
  limit: number;
}

/** Machines that match, by account and id, both descending. */
export const findMachines = async (pool: Pool, query: MachineQuery): Promise<MachineListRow[]> => {
  const values: unknown[] = [];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const where: string[] = [];
  if (query.kind !== undefined) where.push(`kind = ${add(query.kind)}`);
  if (query.account !== undefined) where.push(`account_id = ${add(query.account)}`);
  if (query.states !== undefined) where.push(within(add(query.states)));
  if (query.except !== undefined) where.push(`NOT ${within(add(query.except))}`);
  if (query.since !== undefined) where.push(`created_at >= ${add(query.since)}`);
  if (query.until !== undefined) where.push(`created_at < ${add(query.until)}`);
  if (query.channel !== undefined || query.outcomes !== undefined) where.push(recordClause(query, add));
  if (query.happened !== undefined) where.push(happenedClause(query.happened, add));
  if (query.attention) where.push('attention IS NOT NULL');
  if (query.campaign !== undefined)
    where.push(`EXISTS (SELECT FROM calls WHERE calls.account_id = machines.account_id AND calls.id = machines.id
      AND calls.campaign_id = ${add(query.campaign)})`);
  if (query.text !== undefined) where.push(textClause(query.text, add));
  if (query.after)
    where.push(`(account_id, id) < (${add(query.after.account)}::int, ${add(query.after.id)}::bigint)`);
  const { rows } = await pool.query<MachineListRow>(
    `SELECT account_id, id, kind, version, revision, state, wake_at, held_by, attention, created_at, ended_at
      FROM machines ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
      ORDER BY account_id DESC, id DESC LIMIT ${add(query.limit)}`,
    values,
  );
  return rows;
};

/** The number or the name that each of them has in its record, in order; null: it has none. */
export const readMachineTitles = async (
  pool: Pool,
  machines: readonly Pick<MachineListRow, 'account_id' | 'id' | 'kind'>[],
): Promise<(string | null)[]> => {
  const of = (table: string, column: string): string =>
    `(SELECT r.${column} FROM ${table} r WHERE r.account_id = asked.account_id AND r.id = asked.id)`;
  const { rows } = await pool.query<{ title: string | null }>({
    name: 'titles of machines',
    text: `SELECT CASE asked.kind WHEN 'call' THEN ${of('calls', 'destination')}
        WHEN 'message' THEN ${of('messages', 'destination')} WHEN 'campaign' THEN ${of('campaigns', 'name')}
        WHEN 'template' THEN ${of('templates', 'name')} END AS title
      FROM unnest($1::int[], $2::bigint[], $3::text[]) WITH ORDINALITY AS asked (account_id, id, kind, nth)
      ORDER BY asked.nth`,
    values: [
      machines.map((one) => one.account_id),
      machines.map(({ id }) => id),
      machines.map(({ kind }) => kind),
    ],
  });
  return rows.map(({ title }) => title);
};

type Add = (value: unknown) => string;

const within = (states: string): string =>
  `EXISTS (SELECT FROM unnest(${states}::text[]) AS asked (name) WHERE state = name OR starts_with(state, name || '.'))`;

/** The record of a message, or of a delivery, which is one row. */
const recordClause = ({ channel, outcomes }: MachineQuery, add: Add): string => {
  const of = channel === undefined ? undefined : add(channel);
  const states = outcomes === undefined ? undefined : add(outcomes);
  const record = (table: string, column: string): string =>
    `EXISTS (SELECT FROM ${table} r WHERE r.account_id = machines.account_id AND r.id = machines.id${
      of === undefined ? '' : ` AND r.${column} = ${of}`
    }${states === undefined ? '' : ` AND r.state = ANY(${states}::text[])`})`;
  return `(kind = 'message' AND ${record('messages', 'channel')}
    OR kind = 'delivery' AND ${record('deliveries', 'purpose')})`;
};

/** The last attempt of a call is its latest: what was dialled before tells nothing of a later moment. */
const happenedClause = ({ what, from, until }: NonNullable<MachineQuery['happened']>, add: Add): string => {
  const since = add(from);
  return `kind = 'call' AND EXISTS (WITH this AS (SELECT dialed_at, answered_at, ended_at, status, reason, attempt, attempts
        FROM calls WHERE calls.account_id = machines.account_id AND calls.id = machines.id AND dialed_at >= ${since}),
      every AS (${everyAttemptSql('this')})
      SELECT FROM (${happenedSql('every')}) AS happened
      WHERE what = ${add(what)} AND at >= ${since} AND at < ${add(until)})`;
};

const textClause = (text: string, add: Add): string => {
  const written = add(text);
  const call = `EXISTS (SELECT FROM calls WHERE calls.account_id = machines.account_id AND calls.id = machines.id
    AND (calls.destination = ${written} OR calls.correlation = ${written}))`;
  return /^\d{1,15}$/.test(text) ? `(id = ${add(Number(text))} OR ${call})` : call;
};

/** The accounts that have, or had, a machine of this number: one, but for small ids. */
export const accountsOfMachine = async (pool: Pool, id: number): Promise<number[]> => {
  const { rows } = await pool.query<{ account_id: number }>(
    `SELECT account_id FROM machines WHERE id = $1
      UNION SELECT account_id FROM calls WHERE id = $1 ORDER BY account_id LIMIT 2`,
    [id],
  );
  return rows.map((row) => row.account_id);
};

/** A machine's whole record, as it stands. `table`: the kind's own (`machines/index.ts`), never a caller's. */
export const readMachineRecord = async (
  pool: Pool,
  table: string,
  account: number,
  id: number,
): Promise<Record<string, unknown> | undefined> => {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: `record of ${table}`,
    text: `SELECT * FROM ${table} WHERE account_id = $1 AND id = $2`,
    values: [account, id],
  });
  return rows[0];
};

/** Whether each of these machines is there and has not ended, in order. */
export const areMachinesUnfinished = async (
  pool: Pool,
  machines: readonly { account: number; id: number }[],
): Promise<boolean[]> => {
  const { rows } = await pool.query<{ living: boolean }>({
    name: 'living machines',
    text: `SELECT machines.id IS NOT NULL AS living
      FROM unnest($1::int[], $2::bigint[]) WITH ORDINALITY AS asked (account_id, id, nth)
      LEFT JOIN machines ON machines.account_id = asked.account_id AND machines.id = asked.id
        AND machines.ended_at IS NULL
      ORDER BY asked.nth`,
    values: [machines.map(({ account }) => account), machines.map(({ id }) => id)],
  });
  return rows.map((row) => row.living);
};
