/** What operations and doors ask of the message log. */
import type { Pool } from 'pg';

/** What became of a message so far. */
export interface MessageOutcome {
  state: string;
  /** Empty: nothing was heard of it yet. */
  code: string;
  text: string;
  providerId: string;
}

export const messageOutcome = async (
  pool: Pool,
  account: number,
  id: number,
): Promise<MessageOutcome | undefined> => {
  const { rows } = await pool.query<MessageOutcome>({
    name: 'message outcome',
    text: `SELECT state, outcome_code AS code, outcome_text AS text, provider_id AS "providerId" FROM messages
      WHERE account_id = $1 AND id = $2`,
    values: [account, id],
  });
  return rows[0];
};
