/** A page of what is sealed in one column of a table, and writing what was sealed anew. */
import { type Pool, escapeIdentifier } from 'pg';

/** A column of sealed texts. Its rows are named by an account and an id of that account; an account itself by id 0. */
export interface SealedColumn {
  table: string;
  column: string;
  /** Names of the columns that name the row: `['id']` for accounts. */
  key: readonly ['id'] | readonly ['account_id', 'id'];
}

export interface SealedTextRow {
  account: number;
  id: number;
  sealed: string;
}

/** Where a page begins: behind this row. */
export type SealedTextCursor = Pick<SealedTextRow, 'account' | 'id'>;

export const firstSealedTextCursor: SealedTextCursor = { account: -1, id: -1 };

/** The next sealed texts of a column, by account and id. Empty texts, and those that are kept unsealed, are left out. */
export const readSealedTextsPage = async (
  pool: Pool,
  { table, column, key }: SealedColumn,
  after: SealedTextCursor,
  limit: number,
): Promise<SealedTextRow[]> => {
  const name = escapeIdentifier(column);
  const [account, id] = key.length === 1 ? ['id', '0'] : key;
  const { rows } = await pool.query<SealedTextRow>(
    `SELECT ${account} AS account, ${id} AS id, ${name} AS sealed FROM ${escapeIdentifier(table)}
     WHERE ${name} LIKE 'v_.%' AND (${account}, ${id}) > ($1, $2) ORDER BY 1, 2 LIMIT $3`,
    [after.account, after.id, limit],
  );
  return rows;
};

/** Writes texts that still stand as they were read; answers how many did. */
export const updateResealedTexts = async (
  pool: Pool,
  { table, column, key }: SealedColumn,
  texts: readonly (SealedTextRow & { resealed: string })[],
): Promise<number> => {
  if (texts.length === 0) return 0;
  const name = escapeIdentifier(column);
  const row =
    key.length === 1 ? 'kept.id = given.account' : 'kept.account_id = given.account AND kept.id = given.id';
  const { rowCount } = await pool.query(
    `UPDATE ${escapeIdentifier(table)} AS kept SET ${name} = given.resealed
     FROM unnest($1::int[], $2::int[], $3::text[], $4::text[]) AS given (account, id, sealed, resealed)
     WHERE ${row} AND kept.${name} = given.sealed`,
    [
      texts.map(({ account }) => account),
      texts.map(({ id }) => id),
      texts.map(({ sealed }) => sealed),
      texts.map(({ resealed }) => resealed),
    ],
  );
  return rowCount ?? 0;
};
