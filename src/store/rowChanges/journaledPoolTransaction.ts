/** Statements of ours whose rows are kept in the journal, on a pool that has one. */
import type { Pool, PoolClient } from 'pg';
import type { Ask } from './columnWriteTimes.ts';
import type { RowChangeSession } from './transactionRowChanges.ts';
import type { RowChangeWriter } from './journaledTransaction.ts';

const writers = new WeakMap<Pool, RowChangeWriter>();

/** What is written by `runJournaledTransaction` on this pool is kept by that writer. */
export const setRowChangeWriter = (pool: Pool, writer: RowChangeWriter): void =>
  void writers.set(pool, writer);

/** What `work` is given to name the rows that it writes. */
export type DeclareRowsToWrite = RowChangeSession['touch'];

/**
 * Does `work` in a transaction; the rows that it touches first are in the journal when this settles. On a pool without
 * a journal they are in the database only. Throws what `RowChangeWriter.write` does.
 */
export const runJournaledTransaction = <T>(
  pool: Pool,
  work: (client: PoolClient, touch: DeclareRowsToWrite) => Promise<T>,
): Promise<T> => {
  const writer = writers.get(pool);
  if (!writer) return inTransaction(pool, (client) => work(client, async () => {}));
  return writer.write<PoolClient, T>(
    (inside) => inTransaction(pool, (client) => inside(client, askOf(client))),
    (client, session) => work(client, (table, keys, isWhole) => session.touch(table, keys, isWhole)),
  );
};

const askOf =
  (client: PoolClient): Ask =>
  async <Row extends object>(text: string, values: readonly string[]) =>
    (await client.query<Row>(text, [...values])).rows;

const inTransaction = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const answer = await work(client);
    await client.query('COMMIT');
    client.release();
    return answer;
  } catch (error) {
    const isBroken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    client.release(isBroken);
    throw error;
  }
};
