/** What an upstream said of chat lines, as it is written. */
import type { Pool } from 'pg';
import { runJournaledTransaction } from './rowChanges/journaledPoolTransaction.ts';

/** Whose lines: those of one number, or of one business account upstream. */
export interface ChatLineSelector {
  account: number;
  /** Digits. */
  number?: string;
  business?: string;
}

export interface ChatLineQuality {
  /** Empty: it says nothing of that. */
  quality: string;
  messagingLimit: string;
  /** The upstream's time of it, epoch milliseconds. */
  at: number;
}

/** Keeps what is newer than what is known. Answers how many lines it is about. */
export const updateChatLineQuality = (
  pool: Pool,
  { account, number = '', business = '' }: ChatLineSelector,
  { quality, messagingLimit, at }: ChatLineQuality,
): Promise<number> =>
  runJournaledTransaction(pool, async (client, touch) => {
    const { rows } = await client.query<{ id: number }>(
      `SELECT id FROM chat_lines WHERE account_id = $1 AND class = 'msgapp'
        AND ((number = $2 AND $2 <> '') OR (business_id = $3 AND $3 <> '')) ORDER BY id LIMIT ${mostLines}`,
      [account, number, business],
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await touch(
      'chat_lines',
      ids.map((id) => ({ account_id: account, id })),
    );
    await client.query(
      `UPDATE chat_lines SET quality = $3, quality_at = $4
        WHERE account_id = $1 AND id = ANY($2::int[]) AND $3 <> '' AND coalesce(quality_at, 0) <= $4`,
      [account, ids, quality, at],
    );
    await client.query(
      `UPDATE chat_lines SET messaging_limit = $3, messaging_limit_at = $4
        WHERE account_id = $1 AND id = ANY($2::int[]) AND $3 <> '' AND coalesce(messaging_limit_at, 0) <= $4`,
      [account, ids, messagingLimit, at],
    );
    return ids.length;
  });

/** An account has no more (`src/admin/chat/chatLines.ts`). */
const mostLines = 200;
