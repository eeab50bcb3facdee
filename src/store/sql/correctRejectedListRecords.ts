/** Refused records of a list that were corrected: what can be taken now is taken, in one transaction. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase, Pool } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { listColumnMaxLengths } from '../../rules/lists/columns.ts';
import { ListRowBuffer, textToUtf8ByteString } from '../../rules/lists/listRowsForPostgresCopy.ts';
import type { ListRejectRow } from '../reads/lists/lists.ts';

export interface CorrectedListRecord {
  /** Its row of the upload. */
  row: number;
  /** A value for each column of a list, in their order (`rules/lists/columns.ts`). */
  fields: readonly string[];
}

export interface ListCorrectionResult {
  /** Records that were taken. */
  taken: number;
  /** Of those that were sent: what stands among the refused still, with its reasons of now. */
  rejects: ListRejectRow[];
}

/** Undefined: there is no such list. */
export const correctListRecords = async (
  pool: Pool,
  list: { account: number; id: number },
  records: readonly CorrectedListRecord[],
): Promise<ListCorrectionResult | undefined> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const mended = await mend(client, list, records);
    await client.query('COMMIT');
    client.release();
    return mended;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
};

const mend = async (
  client: ClientBase,
  { account, id }: { account: number; id: number },
  records: readonly CorrectedListRecord[],
): Promise<ListCorrectionResult | undefined> => {
  const { rowCount } = await client.query('SELECT FROM lists WHERE account_id = $1 AND id = $2 FOR UPDATE', [
    account,
    id,
  ]);
  if (rowCount === 0) return undefined;
  // Only what stands among the refused: a record that was taken is never changed.
  const { rows: refused } = await client.query<{ row: number }>(
    `DELETE FROM list_rejects WHERE account_id = $1 AND list_id = $2 AND "row" = ANY($3::int[]) RETURNING "row"`,
    [account, id, records.map(({ row }) => row)],
  );
  const open = new Set(refused.map(({ row }) => row));
  const read = records.filter(({ row }) => open.delete(row)).map((one) => readAgain(account, id, one));
  await copy(
    client,
    'list_records',
    read.map((rows) => rows.takeRecords()),
  );
  await copy(
    client,
    'list_rejects',
    read.map((rows) => rows.takeRejects()),
  );
  const accepted = read.reduce((sum, rows) => sum + rows.accepted, 0);
  const bytes = read.reduce((sum, rows) => sum + rows.bytes, 0);
  await client.query(
    `UPDATE lists SET records = records + $3, rejected = rejected - $3, bytes = bytes + $4
      WHERE account_id = $1 AND id = $2`,
    [account, id, accepted, bytes],
  );
  const { rows: rejects } = await client.query<ListRejectRow>(
    `SELECT "row", reason, content FROM list_rejects
      WHERE account_id = $1 AND list_id = $2 AND "row" = ANY($3::int[]) ORDER BY "row"`,
    [account, id, records.map(({ row }) => row)],
  );
  return { taken: accepted, rejects };
};

/** Under the row that it had. */
const readAgain = (account: number, id: number, { row, fields }: CorrectedListRecord): ListRowBuffer => {
  const rows = new ListRowBuffer({ account, id, maxRecords: row, after: row - 1 });
  const bytes = listColumnMaxLengths.map((_, column) => textToUtf8ByteString((fields[column] ?? '').trim()));
  rows.add(bytes, false, () => bytes.map(csvCell).join(';').replace(/;+$/, ''));
  return rows;
};

/** Quoted where it must be, as in RFC 4180. */
const csvCell = (value: string): string =>
  /[;"\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

const copy = async (client: ClientBase, table: string, rows: readonly Buffer[]): Promise<void> => {
  const some = rows.filter(({ length }) => length > 0);
  if (some.length === 0) return;
  await pipeline(Readable.from(some), client.query(copyFrom(`COPY ${table} FROM STDIN`)));
};
