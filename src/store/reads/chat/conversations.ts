/** Conversations of chat lines: open for a day after a person's last message. */
import type { Pool } from 'pg';
import { batchLoaderOn } from '../batchLoader.ts';

/** So long a conversation is open after a person wrote, milliseconds. */
export const CONVERSATION_OPEN_MS = 24 * 3_600_000;

export interface ConversationOpenQuery {
  account: number;
  line: number;
  contact: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Whether a person wrote to a line within the day before. */
export const isConversationOpen = batchLoaderOn<ConversationOpenQuery, boolean>(async (pool, queries) => {
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
      queries.map(({ at }) => at - CONVERSATION_OPEN_MS),
    ],
  });
  const open = new Set(rows.map(({ nth }) => nth));
  return queries.map((_, index) => open.has(index + 1));
});

/** A person who wrote to a line, with what came last. */
export interface ConversationRow {
  line_id: number;
  line_class: string;
  contact: string;
  /** When it was heard from last, epoch milliseconds. */
  heard_at: number;
  name: string;
  last_text: string;
  last_type: string;
}

export interface ConversationListQuery {
  account: number;
  /** Undefined: by any line. */
  line?: number | undefined;
  /** One person, under any of these spellings of its number; undefined: all. */
  contacts?: readonly string[] | undefined;
  /** Older than this one; undefined: from the newest on. */
  before?: { heardAt: number; line: number; contact: string } | undefined;
  limit: number;
}

/** The other spelling of a Brazilian mobile, with or without its ninth digit; null: there is none. */
const otherSpelling = `CASE WHEN c.contact ~ '^55[1-9][0-9]9[6-9][0-9]{7}$' THEN left(c.contact, 4) || substr(c.contact, 6)
  WHEN c.contact ~ '^55[1-9][0-9][6-9][0-9]{7}$' THEN left(c.contact, 4) || '9' || substr(c.contact, 5) END`;

/** When a contact wrote last; 0: nothing of it is kept. */
const wroteAt = (contact: string): string =>
  `coalesce((SELECT max(received_at) FROM inbound_messages
    WHERE account_id = $1 AND line_id = c.line_id AND contact = ${contact}), 0)`;

/**
 * A person's window is kept under both spellings, so that a message to either is let through. A list shows the one that the
 * person wrote under last; where nothing of it is kept, the longer one.
 */
const isShownSpelling = `NOT EXISTS (SELECT FROM conversations o
  WHERE o.account_id = $1 AND o.line_id = c.line_id AND o.contact = ${otherSpelling}
    AND (${wroteAt('o.contact')}, length(o.contact)) > (${wroteAt('c.contact')}, length(c.contact)))`;

/** Conversations of an account, those that were heard of last first, each person once. */
export const readConversationsPage = async (
  pool: Pool,
  { account, line, contacts, before, limit }: ConversationListQuery,
): Promise<ConversationRow[]> => {
  const { rows } = await pool.query<ConversationRow>({
    name: 'conversations page',
    text: `SELECT c.line_id, coalesce(l.class, '') AS line_class, c.contact, c.heard_at,
        coalesce(m.contact_name, '') AS name, coalesce(m.body, '') AS last_text,
        coalesce(m.content_type, '') AS last_type
      FROM (SELECT line_id, contact, heard_at FROM conversations c
        WHERE account_id = $1 AND ($2::int IS NULL OR line_id = $2) AND ($3::text[] IS NULL OR contact = ANY($3))
          AND ${isShownSpelling}
          AND ($4::bigint IS NULL OR (heard_at, line_id, contact) < ($4::bigint, $5::int, $6::text))
        ORDER BY heard_at DESC, line_id DESC, contact DESC LIMIT $7) AS c
      LEFT JOIN chat_lines l ON l.account_id = $1 AND l.id = c.line_id
      LEFT JOIN LATERAL (SELECT contact_name, body, content_type FROM inbound_messages
        WHERE account_id = $1 AND line_id = c.line_id AND contact = c.contact
        ORDER BY received_at DESC LIMIT 1) AS m ON true
      ORDER BY c.heard_at DESC, c.line_id DESC, c.contact DESC`,
    values: [
      ...[account, line ?? null, contacts ?? null],
      ...[before?.heardAt ?? null, before?.line ?? null, before?.contact ?? null, limit],
    ],
  });
  return rows;
};

/** A conversation that was found by the person. */
export interface FoundConversationRow {
  account_id: number;
  line_id: number;
  contact: string;
  /** When it was heard from last, epoch milliseconds. */
  heard_at: number;
  /** Empty: the person gave none. */
  name: string;
}

/** Conversations of these people with lines of these accounts, those that were heard of last first. */
export const findConversationsOfContacts = async (
  pool: Pool,
  { accounts, contacts, limit }: { accounts: readonly number[]; contacts: readonly string[]; limit: number },
): Promise<FoundConversationRow[]> => {
  const { rows } = await pool.query<FoundConversationRow>({
    name: 'conversations of contacts',
    // By way of the lines, so that each person is one look into the primary key.
    text: `SELECT c.account_id, c.line_id, c.contact, c.heard_at, coalesce(m.contact_name, '') AS name
      FROM chat_lines l
      JOIN conversations c ON c.account_id = l.account_id AND c.line_id = l.id AND c.contact = ANY($2::text[])
      LEFT JOIN LATERAL (SELECT contact_name FROM inbound_messages
        WHERE account_id = c.account_id AND line_id = c.line_id AND contact = c.contact
        ORDER BY received_at DESC LIMIT 1) AS m ON true
      WHERE l.account_id = ANY($1::int[]) ORDER BY c.heard_at DESC LIMIT $3`,
    values: [accounts, contacts, limit],
  });
  return rows;
};

/** A message that went to a person by a line. */
export interface SentChatMessageRow {
  id: number;
  created_at: number;
  content_type: string;
  body: string;
  state: string;
  outcome_text: string;
  delivered_at: number | null;
  read_at: number | null;
}

/** A page of what was sent to a person, the newest first. `contacts`: the names that its upstream has for it. */
export const readMessagesSentToContact = async (
  pool: Pool,
  query: { account: number; line: number; contacts: readonly string[]; belowId: number; limit: number },
): Promise<SentChatMessageRow[]> => {
  const { account, line, contacts, belowId, limit } = query;
  const { rows } = await pool.query<SentChatMessageRow>({
    name: 'sent to a person',
    text: `SELECT id, created_at, content_type, body, state, outcome_text, delivered_at, read_at FROM messages
      WHERE account_id = $1 AND line_id = $2 AND destination = ANY($3::text[]) AND id < $4
      ORDER BY id DESC LIMIT $5`,
    values: [account, line, contacts, belowId, limit],
  });
  return rows;
};
