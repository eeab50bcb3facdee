/** Conversations of chat lines: open for a day after a person's last message. */
import { batchLoaderOn } from '../batchLoader.ts';

const DAY_MS = 24 * 3_600_000;

export interface ConversationQuery {
  account: number;
  line: number;
  contact: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Whether a person wrote to a line within the day before. */
export const isConversationOpen = batchLoaderOn<ConversationQuery, boolean>(async (pool, queries) => {
  const { rows } = await pool.query<{ nth: number }>({
    name: 'open conversations',
    text: `SELECT nth::int AS nth FROM unnest($1::int[], $2::int[], $3::text[], $4::bigint[])
        WITH ORDINALITY AS asked (account, line, contact, since, nth),
      LATERAL (SELECT FROM conversations
        WHERE account_id = asked.account AND line_id = asked.line AND contact = asked.contact
          AND heard_at > asked.since LIMIT 1) AS found`,
    values: [
      queries.map(({ account }) => account),
      queries.map(({ line }) => line),
      queries.map(({ contact }) => contact),
      queries.map(({ at }) => at - DAY_MS),
    ],
  });
  const open = new Set(rows.map(({ nth }) => nth));
  return queries.map((_, index) => open.has(index + 1));
});
