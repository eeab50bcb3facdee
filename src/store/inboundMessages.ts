/** Messages from people, as they came in from a chat channel: kept once, whatever comes twice. */
import type { Pool } from 'pg';

export interface InboundMessage {
  upstreamId: string;
  /** The upstream's time, epoch milliseconds. */
  sentAt: number;
  contact: string;
  name: string;
  type: string;
  body: string;
  /** As it came: JSON. */
  payload: string;
}

export interface InboundChatMessageBatch {
  account: number;
  line: number;
  /** Epoch milliseconds. */
  at: number;
  messages: readonly InboundMessage[];
  /** Who is in conversation since when; a later moment that is known stays. */
  conversations: ReadonlyMap<string, number>;
}

/** Keeps messages, and opens conversations, in one commit. */
export const saveInboundMessages = async (
  pool: Pool,
  { account, line, at, messages, conversations }: InboundChatMessageBatch,
): Promise<void> => {
  const column = (of: (message: InboundMessage) => unknown) => messages.map(of);
  // In one order everywhere, so that two hooks do not wait for each other.
  const contacts = [...conversations].toSorted(([one], [other]) => (one < other ? -1 : 1));
  await pool.query({
    name: 'keep inbound',
    text: `WITH kept AS (INSERT INTO inbound_messages (account_id, line_id, upstream_id, received_at, sent_at, contact,
          contact_name, content_type, body, payload)
        SELECT $1::int, $2::int, upstream_id, $3::bigint, sent_at, contact, contact_name, content_type, body, payload
        FROM unnest($4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
          AS given (upstream_id, sent_at, contact, contact_name, content_type, body, payload)
        ORDER BY upstream_id ON CONFLICT DO NOTHING)
      INSERT INTO conversations (account_id, line_id, contact, heard_at)
        SELECT $1::int, $2::int, contact, heard_at
        FROM unnest($11::text[], $12::bigint[]) AS given (contact, heard_at)
      ON CONFLICT (account_id, line_id, contact)
        DO UPDATE SET heard_at = greatest(conversations.heard_at, excluded.heard_at)`,
    values: [
      ...[account, line, at],
      column(({ upstreamId }) => upstreamId),
      column(({ sentAt }) => sentAt),
      column(({ contact }) => contact),
      column(({ name }) => name),
      column(({ type }) => type),
      column(({ body }) => body),
      column(({ payload }) => payload),
      contacts.map(([contact]) => contact),
      contacts.map(([, heardAt]) => heardAt),
    ],
  });
};

/** Those of these messages that came in before a moment. */
export const inboundIdsReceivedBefore = async (
  pool: Pool,
  {
    account,
    line,
    upstreamIds,
    before,
  }: { account: number; line: number; upstreamIds: readonly string[]; before: number },
): Promise<Set<string>> => {
  const { rows } = await pool.query<{ upstream_id: string }>({
    name: 'inbound before',
    text: `SELECT upstream_id FROM inbound_messages
      WHERE account_id = $1 AND line_id = $2 AND upstream_id = ANY($3::text[]) AND received_at < $4::bigint`,
    values: [account, line, upstreamIds, before],
  });
  return new Set(rows.map(({ upstream_id }) => upstream_id));
};

/** A message as it was kept. */
export interface InboundMessageRow {
  upstream_id: string;
  received_at: number;
  sent_at: number;
  contact: string;
  contact_name: string;
  content_type: string;
  body: string;
  payload: string;
}

export interface InboundMessageQuery {
  account: number;
  line: number;
  /** Of a person under these spellings; null: of all. */
  contacts: readonly string[] | null;
  /** Older than this one; null: from the newest on. */
  before: { receivedAt: number; upstreamId: string } | null;
  limit: number;
}

/** A page of what came in by a line, the newest first. */
export const readInboundMessagePage = async (
  pool: Pool,
  query: InboundMessageQuery,
): Promise<InboundMessageRow[]> => {
  const { account, line, contacts, before, limit } = query;
  const { rows } = await pool.query<InboundMessageRow>({
    name: 'inbound page',
    text: `SELECT upstream_id, received_at, sent_at, contact, contact_name, content_type, body, payload
      FROM inbound_messages
      WHERE account_id = $1 AND line_id = $2 AND ($3::text[] IS NULL OR contact = ANY($3))
        AND ($4::bigint IS NULL OR (received_at, upstream_id) < ($4::bigint, $5::text))
      ORDER BY received_at DESC, upstream_id DESC LIMIT $6`,
    values: [account, line, contacts, before?.receivedAt ?? null, before?.upstreamId ?? null, limit],
  });
  return rows;
};
