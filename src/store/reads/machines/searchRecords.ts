/** Records by what people know of them: a number, a correlation id, a name. Accounts are given, so that indexes serve. */
import type { Pool } from 'pg';
import { unaccentSql } from '../../sql/unaccentSql.ts';

export interface RecordSearchHit {
  kind: 'call' | 'message' | 'campaign' | 'template';
  account_id: number;
  id: number;
  /** The number, or the name. */
  title: string;
  state: string;
  /** Epoch milliseconds. */
  at: number;
}

export interface RecordSearchQuery {
  accounts: readonly number[];
  /** What was typed. */
  text: string;
  /** The numbers that it may be as they are dialled; empty: it is none. */
  numbers: readonly string[];
  limit: number;
}

/** Calls and messages of a number or a correlation id, campaigns and templates of a name; of each kind the newest. */
export const searchRecords = async (
  pool: Pool,
  { accounts, text, numbers, limit }: RecordSearchQuery,
): Promise<RecordSearchHit[]> => {
  const named = (column: string) => `strpos(${unaccentSql(column)}, ${unaccentSql('$2::text')}) > 0`;
  const one = (select: string) => `(${select} LIMIT $4)`;
  const { rows } = await pool.query<RecordSearchHit>({
    name: 'find records',
    text: [
      `SELECT 'call' AS kind, account_id, id, destination AS title,
          CASE WHEN status <> '' THEN status WHEN finished THEN 'ended' ELSE '' END AS state, requested_at AS at
        FROM calls WHERE account_id = ANY($1::int[]) AND (destination = ANY($3::text[]) OR correlation = $2) ORDER BY id DESC`,
      `SELECT 'message', account_id, id, destination, state, created_at FROM messages
        WHERE account_id = ANY($1::int[]) AND (destination = ANY($3::text[]) OR correlation = $2) ORDER BY id DESC`,
      `SELECT 'campaign', account_id, id, name, state, created_at FROM campaigns
        WHERE account_id = ANY($1::int[]) AND (${named('name')} OR correlation = $2 OR id::text = $2) ORDER BY id DESC`,
      `SELECT 'template', account_id, id, name, state, created_at FROM templates
        WHERE account_id = ANY($1::int[]) AND NOT removed AND (${named('name')} OR id::text = $2) ORDER BY id DESC`,
    ]
      .map(one)
      .join(' UNION ALL '),
    values: [accounts, text, numbers, limit],
  });
  return rows;
};
