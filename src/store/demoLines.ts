/** The chat lines that the demo account begins with, at the sandbox upstream. */
import type { Pool } from 'pg';
import type { ChatLineRow } from './reads/chat/chatLinesForSending.ts';
import { runJournaledTransaction } from './rowChanges/journaledPoolTransaction.ts';

export type DemoChatSenderLine = Omit<ChatLineRow, 'account_id' | 'forward_url' | 'active' | 'sandbox'>;

/** Makes them where the account has no line yet; several processes may do so at once. `at`: epoch milliseconds. */
export const addDemoChatLines = async (
  pool: Pool,
  { account, lines, at }: { account: number; lines: readonly DemoChatSenderLine[]; at: number },
): Promise<void> => {
  await runJournaledTransaction(pool, async (client, touch) => {
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('demo lines ' || $1, 0))`, [account]);
    await touch(
      'chat_lines',
      lines.map(({ id }) => ({ account_id: account, id })),
    );
    await client.query(
      `INSERT INTO chat_lines (account_id, created_at, sandbox, id, class, provider, app_name, number, business_id, page_id,
          photo_account_id, api_key, app_secret, verify_token)
        SELECT $1::int, $2::bigint, true, line.* FROM json_to_recordset($3::json) AS line (id int, class text,
          provider text, app_name text, number text, business_id text, page_id text, photo_account_id text,
          api_key text, app_secret text, verify_token text)
        WHERE NOT EXISTS (SELECT FROM chat_lines WHERE account_id = $1::int)`,
      [account, at, JSON.stringify(lines)],
    );
  });
};
