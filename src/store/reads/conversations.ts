/** Conversations of chat lines: open for a day after a person's last message. */
import type { Pool } from 'pg';

const DAY_MS = 24 * 3_600_000;

/** Whether a person wrote to a line within the day before `at` (epoch milliseconds). */
export const isConversationOpen = async (
  pool: Pool,
  { account, line, contact, at }: { account: number; line: number; contact: string; at: number },
): Promise<boolean> => {
  const { rows } = await pool.query({
    name: 'open conversation',
    text: `SELECT 1 FROM conversations
      WHERE account_id = $1 AND line_id = $2 AND contact = $3 AND heard_at > $4::bigint`,
    values: [account, line, contact, at - DAY_MS],
  });
  return rows.length > 0;
};
