/** Machines as operators look for them. Pages follow the primary key, newest first within an account. */
import type { Pool } from 'pg';

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
  /** A state, or one that contains it: `talking` finds `talking.asking`. */
  state?: string;
  account?: number;
  /** Only calls of this campaign. */
  campaign?: number;
  /** A machine's number, or a call's destination or correlation id. */
  text?: string;
  /** Only those that an operator should look at. */
  attention?: true;
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
  if (query.state !== undefined) {
    const state = add(query.state);
    where.push(`(state = ${state} OR starts_with(state, ${state} || '.'))`);
  }
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

const textClause = (text: string, add: (value: unknown) => string): string => {
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
