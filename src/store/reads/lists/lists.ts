/** Destination lists by the questions asked of them (spec 4.7), and what the admin API shows. */
import type { Pool } from 'pg';
import { unaccent } from '../../sql/unaccent.ts';

export interface ListRow {
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

export interface ListQuery {
  account: number;
  id?: number;
  correlation?: string;
  /** Text in name or file name, whatever its case and accents. */
  search?: string;
  active?: boolean;
}

const columns = 'id, name, file, correlation, active, records, rejected, bytes, created_at';

/** Lists that match, newest first. `belowId`: only those before it. */
export const findLists = async (
  pool: Pool,
  query: ListQuery & { belowId?: number; limit: number },
): Promise<ListRow[]> => {
  const { where, values } = conditions(query);
  if (query.belowId !== undefined) where.push(`id < $${values.push(query.belowId)}`);
  const { rows } = await pool.query<ListRow>(
    `SELECT ${columns} FROM lists WHERE ${where.join(' AND ')} ORDER BY id DESC LIMIT $${values.push(query.limit)}`,
    values,
  );
  return rows;
};

/** Sets the flag of every list that matches; answers them as they are then, newest first. */
export const setListsActive = async (pool: Pool, query: ListQuery, active: boolean): Promise<ListRow[]> => {
  const { where, values } = conditions(query);
  const { rows } = await pool.query<ListRow>(
    `UPDATE lists SET active = $${values.push(active)} WHERE ${where.join(' AND ')} RETURNING ${columns}`,
    values,
  );
  return rows.toSorted((a, b) => b.id - a.id);
};

const conditions = (query: ListQuery): { where: string[]; values: unknown[] } => {
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
    (text) => `strpos(${unaccent(`name || E'\\n' || file`)}, ${unaccent(`${text}::text`)}) > 0`,
  );
  return { where, values };
};

export interface ListRejectRow {
  row: number;
  reason: string;
  content: string;
}

/** Refused records of a list by row, from after `row` on. */
export const listRejects = async (
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
