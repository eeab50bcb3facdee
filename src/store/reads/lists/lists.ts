/** Destination lists by the questions asked of them (spec 4.7), and what the admin API shows. */
import type { Pool } from 'pg';
import { unaccentSql } from '../../sql/unaccentSql.ts';

export interface DestinationListRow {
  id: number;
  name: string;
  file: string;
  correlation: string;
  active: boolean;
  /** Accepted records. */
  records: number;
  rejected: number;
  bytes: number;
  /** Epoch milliseconds. */
  created_at: number;
}

export interface AccountDestinationListsQuery {
  account: number;
  id?: number;
  correlation?: string;
  /** Text in name or file name, whatever its case and accents. */
  search?: string;
  active?: boolean;
}

const columns = 'id, name, file, correlation, active, records, rejected, bytes, created_at';

/** Lists that match, newest first. `belowId`: only those before it. */
export const findDestinationLists = async (
  pool: Pool,
  query: AccountDestinationListsQuery & { belowId?: number; limit: number },
): Promise<DestinationListRow[]> => {
  const { where, values } = conditions(query);
  if (query.belowId !== undefined) where.push(`id < $${values.push(query.belowId)}`);
  const { rows } = await pool.query<DestinationListRow>(
    `SELECT ${columns} FROM lists WHERE ${where.join(' AND ')} ORDER BY id DESC LIMIT $${values.push(query.limit)}`,
    values,
  );
  return rows;
};

/** Sets the flag of every list that matches; answers them as they are then, newest first. */
export const setListsActive = async (
  pool: Pool,
  query: AccountDestinationListsQuery,
  active: boolean,
): Promise<DestinationListRow[]> => {
  const { where, values } = conditions(query);
  const { rows } = await pool.query<DestinationListRow>(
    `UPDATE lists SET active = $${values.push(active)} WHERE ${where.join(' AND ')} RETURNING ${columns}`,
    values,
  );
  return rows.toSorted((a, b) => b.id - a.id);
};

const conditions = (query: AccountDestinationListsQuery): { where: string[]; values: unknown[] } => {
  const where = ['account_id = $1'];
  const values: unknown[] = [query.account];
  const only = (value: unknown, clause: (written: string) => string): void => {
    if (value !== undefined) where.push(clause(`$${values.push(value)}`));
  };
  only(query.id, (id) => `id = ${id}`);
  only(query.correlation, (correlation) => `correlation = ${correlation}`);
  only(query.active, (active) => `active = ${active}`);
  only(
    query.search,
    (text) => `strpos(${unaccentSql(`name || E'\\n' || file`)}, ${unaccentSql(`${text}::text`)}) > 0`,
  );
  return { where, values };
};

export interface ListRejectRow {
  row: number;
  reason: string;
  content: string;
}

/** Refused records of a list by row, from after `row` on. */
export const readListRejects = async (
  pool: Pool,
  { account, list, after, limit }: { account: number; list: number; after: number; limit: number },
): Promise<ListRejectRow[]> => {
  const { rows } = await pool.query<ListRejectRow>({
    name: 'rejects of list',
    text: `SELECT "row", reason, content FROM list_rejects
      WHERE account_id = $1 AND list_id = $2 AND "row" > $3 ORDER BY "row" LIMIT $4`,
    values: [account, list, after, limit],
  });
  return rows;
};
