/** Records past their time: what has ended and is older than an operator wants to keep. */
import type { Pool } from 'pg';

/** Tables of records whose ids ascend with time and that say whether they are over. */
export type AgingTable = 'deliveries' | 'calls' | 'messages';

/** Rows deleted at a time: a short transaction, and no long list of locks. */
const BATCH = 5_000;

/**
 * Deletes the finished records below an id, the oldest first. Answers how many there were. Follows the primary key,
 * account by account.
 */
export const forgetRecords = async (pool: Pool, table: AgingTable, belowId: number): Promise<number> => {
  let forgotten = 0;
  for (const account of await accountsOf(pool, table))
    for (let rows = BATCH; rows === BATCH; forgotten += rows)
      rows = await forgetBatch(pool, table, account, belowId);
  return forgotten;
};

/** One look-up an account, however many records each has. */
const accountsOf = async (pool: Pool, table: AgingTable): Promise<number[]> => {
  const { rows } = await pool.query<{ id: number }>(
    `WITH RECURSIVE found AS (
       SELECT min(account_id) AS id FROM ${table}
       UNION ALL SELECT (SELECT min(account_id) FROM ${table} WHERE account_id > found.id) FROM found
       WHERE found.id IS NOT NULL)
     SELECT id FROM found WHERE id IS NOT NULL`,
  );
  return rows.map(({ id }) => id);
};

const forgetBatch = async (
  pool: Pool,
  table: AgingTable,
  account: number,
  belowId: number,
): Promise<number> => {
  const { rowCount } = await pool.query(
    `DELETE FROM ${table} WHERE account_id = $1 AND id = ANY (ARRAY(
       SELECT id FROM ${table} WHERE account_id = $1 AND id < $2 AND finished ORDER BY id LIMIT ${BATCH}))`,
    [account, belowId],
  );
  return rowCount ?? 0;
};

/** Deletes what came in from chat channels before a moment (epoch milliseconds). Answers how many there were. */
export const forgetInbound = async (pool: Pool, before: number): Promise<number> => {
  let forgotten = 0;
  for (let rows = BATCH; rows === BATCH; forgotten += rows) {
    // PostgreSQL's `ctid`: where a row lies.
    const deleted = await pool.query(
      `DELETE FROM inbound_messages WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM inbound_messages WHERE received_at < $1 LIMIT ${BATCH}))`,
      [before],
    );
    rows = deleted.rowCount ?? 0;
  }
  return forgotten;
};
