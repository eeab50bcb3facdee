/** What went by a chat line lately, and what came in by it and was not brought to its customer. */
import type { Pool } from 'pg';
import { readInboundMessagePage } from '../../inboundMessages.ts';
import type { MessageRow } from '../sms/messageLog.ts';

export interface ChatLineActivity {
  lastSent: MessageRow | undefined;
  /** Epoch milliseconds. */
  lastIncoming: number | undefined;
  notBrought: { count: number; error: string };
}

/** How many of an account's newest messages, and deliveries, are looked through: no index knows the line. */
const looked = 5_000;

export const readChatLineActivity = async (
  pool: Pool,
  account: number,
  line: number,
): Promise<ChatLineActivity> => {
  const [sent, incoming, deliveries] = await Promise.all([
    pool.query<MessageRow>({
      name: 'newest message of a chat line',
      text: `SELECT * FROM (SELECT * FROM messages WHERE account_id = $1 ORDER BY id DESC LIMIT ${looked}) recent
        WHERE line_id = $2 AND channel <> 'sms' ORDER BY id DESC LIMIT 1`,
      values: [account, line],
    }),
    readInboundMessagePage(pool, { account, line, contacts: null, before: null, limit: 1 }),
    pool.query<{ count: number; error: string | null }>({
      name: 'incoming of a chat line that is not brought',
      text: `SELECT count(*)::int AS count, (array_agg(last_error ORDER BY id DESC))[1] AS error
        FROM (SELECT * FROM deliveries WHERE account_id = $1 ORDER BY id DESC LIMIT ${looked}) recent
        WHERE purpose = 'callback' AND last_error <> '' AND delivered_at IS NULL AND subject LIKE '% on line ' || $2::text`,
      values: [account, line],
    }),
  ]);
  const { count = 0, error = '' } = deliveries.rows[0] ?? {};
  return {
    lastSent: sent.rows[0],
    lastIncoming: incoming[0]?.received_at,
    notBrought: { count, error: error ?? '' },
  };
};
