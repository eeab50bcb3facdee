/** Records past their time: what has ended and is older than an operator wants to keep. */
import type { Pool } from 'pg';

/** Tables of records whose ids ascend with time and that say whether they are over. */
export type RetentionTableName = 'deliveries' | 'calls' | 'messages';

/** Rows deleted at a time: a short transaction, and no long list of locks. */
const BATCH = 5_000;

/** Asked between batches: false ends the work, and the next one goes on where it ended. */
export type MayGoOn = () => boolean;

const always: MayGoOn = () => true;

/**
 * Deletes the finished records below an id, the oldest first. Answers how many there were. Follows the primary key,
 * account by account.
 */
export const deleteOldRecords = async (
  pool: Pool,
  table: RetentionTableName,
  belowId: number,
  mayGoOn: MayGoOn = always,
): Promise<number> => {
  let forgotten = 0;
  for (const account of await accountsOf(pool, table))
    for (let rows = BATCH; rows === BATCH && mayGoOn(); forgotten += rows)
      rows = await forgetBatch(pool, table, account, belowId);
  return forgotten;
};

/** A finished call's recording: the id of its file. */
export interface StoredCallRecording {
  account: number;
  id: number;
  recording: string;
}

/** Recordings of finished calls below an id, of all accounts, the oldest first. Follows an index of those that are there. */
export const findCallRecordingsBelowId = async (
  pool: Pool,
  belowId: number,
  limit: number,
): Promise<StoredCallRecording[]> => {
  const { rows } = await pool.query<StoredCallRecording>({
    name: 'recordings below',
    text: `SELECT account_id AS account, id, recording FROM calls
      WHERE recording <> '' AND id < $1 AND finished ORDER BY id LIMIT $2`,
    values: [belowId, limit],
  });
  return rows;
};

/** The files are deleted: the calls say so. `at`: epoch milliseconds. */
export const markCallRecordingsDeleted = async (
  pool: Pool,
  gone: readonly StoredCallRecording[],
  at: number,
): Promise<void> => {
  await pool.query({
    name: 'recordings gone',
    text: `UPDATE calls SET recording = '', recording_gone_at = $4
      FROM unnest($1::int[], $2::bigint[], $3::text[]) AS gone (account_id, id, recording)
      WHERE calls.account_id = gone.account_id AND calls.id = gone.id AND calls.recording = gone.recording`,
    values: [
      gone.map(({ account }) => account),
      gone.map(({ id }) => id),
      gone.map(({ recording }) => recording),
      at,
    ],
  });
};

/** One look-up an account, however many records each has. */
const accountsOf = async (pool: Pool, table: RetentionTableName): Promise<number[]> => {
  const { rows } = await pool.query<{ id: number }>(
    `WITH RECURSIVE found AS (
       SELECT min(account_id) AS id FROM ${table}
       UNION ALL SELECT (SELECT min(account_id) FROM ${table} WHERE account_id > found.id) FROM found
       WHERE found.id IS NOT NULL)
     SELECT id FROM found WHERE id IS NOT NULL`,
  );
  return rows.map(({ id }) => id);
};

/** What else must hold: a call whose recording is there still names the file. */
const alone: Record<RetentionTableName, string> = {
  deliveries: '',
  calls: `AND recording = ''`,
  messages: '',
};

const forgetBatch = async (
  pool: Pool,
  table: RetentionTableName,
  account: number,
  belowId: number,
): Promise<number> => {
  const { rowCount } = await pool.query(
    `DELETE FROM ${table} WHERE account_id = $1 AND id = ANY (ARRAY(
       SELECT id FROM ${table} WHERE account_id = $1 AND id < $2 AND finished ${alone[table]} ORDER BY id LIMIT ${BATCH}))`,
    [account, belowId],
  );
  return rowCount ?? 0;
};

/** Deletes what came in from chat channels before a moment (epoch milliseconds). Answers how many there were. */
export const deleteOldInboundMessages = async (
  pool: Pool,
  before: number,
  mayGoOn: MayGoOn = always,
): Promise<number> => {
  let forgotten = 0;
  for (let rows = BATCH; rows === BATCH && mayGoOn(); forgotten += rows) {
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
