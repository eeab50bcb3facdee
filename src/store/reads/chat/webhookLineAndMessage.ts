/** What hooks of chat channels are about: whose a line is, and which message, or template, the upstream means. */
import type { Pool } from 'pg';
import { firstIdAt } from '../../../engine/contract/idGenerator.ts';
import { batchLoaderOn } from '../batchLoader.ts';

/** The account in this shard that a line belongs to. */
export const accountOfLine = async (pool: Pool, line: number): Promise<number | undefined> => {
  const { rows } = await pool.query<{ account: number }>({
    name: 'account of line',
    text: 'SELECT account_id AS account FROM chat_lines WHERE id = $1 LIMIT 1',
    values: [line],
  });
  return rows[0]?.account;
};

/** The account in this shard that an SMS route belongs to. */
export const accountOfSmsRoute = async (pool: Pool, route: number): Promise<number | undefined> => {
  const { rows } = await pool.query<{ account: number }>({
    name: 'account of sms route',
    text: 'SELECT account_id AS account FROM sms_routes WHERE id = $1 LIMIT 1',
    values: [route],
  });
  return rows[0]?.account;
};

/** The line of an account that has this identity upstream; an active one before others. */
export const lineByIdentity = async (
  pool: Pool,
  { account, channel, identity }: { account: number; channel: string; identity: string },
): Promise<number | undefined> => {
  const { rows } = await pool.query<{ id: number }>({
    name: 'line by identity',
    text: `SELECT id FROM chat_lines WHERE account_id = $1 AND class = $2
        AND CASE class WHEN 'msgapp' THEN app_name WHEN 'pagechat' THEN page_id ELSE photo_account_id END = $3
      ORDER BY active DESC, id LIMIT 1`,
    values: [account, channel, identity],
  });
  return rows[0]?.id;
};

export interface MessageMatch {
  id: number;
  state: string;
  finished: boolean;
}

/** Not of one line: several may stand for the same number or page. */
interface OfChannel {
  account: number;
  /** msgapp, pagechat, photodm. */
  channel: string;
}

export interface MessageMatchQuery extends OfChannel {
  /** Our id; undefined: none is known. */
  id: number | undefined;
  /** The upstream's; empty: it gives none. */
  providerId: string;
}

/** The message of a channel that has this id, else the newest one that the upstream knows by this one of its own. */
export const findMessageByOwnOrProviderId = batchLoaderOn<MessageMatchQuery, MessageMatch | undefined>(
  async (pool, queries) => {
    const { rows } = await pool.query<MessageMatch & { nth: number }>({
      name: 'messages named',
      text: `SELECT nth::int AS nth, found.* FROM unnest($1::int[], $2::text[], $3::bigint[], $4::text[])
        WITH ORDINALITY AS asked (account, channel, ours, theirs, nth),
      LATERAL (SELECT * FROM (
          (SELECT id, state, finished FROM messages
            WHERE account_id = asked.account AND id = asked.ours AND channel = asked.channel LIMIT 1)
          UNION ALL
          (SELECT id, state, finished FROM messages
            WHERE account_id = asked.account AND provider_id = asked.theirs AND provider_id <> ''
              AND channel = asked.channel ORDER BY id DESC LIMIT 1)) AS either LIMIT 1) AS found`,
      values: [
        queries.map(({ account }) => account),
        queries.map(({ channel }) => channel),
        queries.map(({ id }) => id ?? null),
        queries.map(({ providerId }) => providerId),
      ],
    });
    const found = new Map(rows.map(({ nth, ...message }) => [nth, message]));
    return queries.map((_, index) => found.get(index + 1));
  },
);

/** How far back a receipt for "everything until then" goes, and how many messages it takes, the newest first. */
const UP_TO_DAYS = 30;
const UP_TO_MESSAGES = 500;

/**
 * The upstream's clock and the database's may be so far apart, milliseconds. It is allowed for where a message is told
 * to be delivered, and not where a person is told to have read it: the next word of that kind makes up for it.
 */
export const UPSTREAM_CLOCK_TOLERANCE_MS = 2_000;

/** Acknowledged messages to a person, submitted by this moment, of which this has not been heard. */
export const messagesLackingReceiptUpTo = async (
  pool: Pool,
  {
    account,
    channel,
    contact,
    until,
    status,
  }: OfChannel & { contact: string; until: number; status: 'delivered' | 'read' },
): Promise<number[]> => {
  const { rows } = await pool.query<{ id: number }>({
    name: 'messages up to',
    text: `SELECT id FROM messages
      WHERE account_id = $1 AND channel = $2 AND destination = $3 AND id >= $4::bigint
        AND submitted_at <= $5::bigint AND NOT finished AND state = ANY($6::text[])
      ORDER BY id DESC LIMIT ${UP_TO_MESSAGES}`,
    values: [
      account,
      channel,
      contact,
      firstIdAt(until - UP_TO_DAYS * 86_400_000),
      status === 'delivered' ? until + UPSTREAM_CLOCK_TOLERANCE_MS : until,
      ['acknowledged', status === 'read' ? 'delivered' : 'read'],
    ],
  });
  return rows.map(({ id }) => id);
};

export interface UnconfirmedChatMessage {
  id: number;
  destination: string;
  created_at: number;
}

/** No message is on its way for longer: by then its outcome is unknown. */
const IN_FLIGHT_MS = 2 * 3_600_000;

export interface UnconfirmedChatMessagesQuery extends OfChannel {
  contacts: readonly string[];
  /** Epoch milliseconds. */
  at: number;
}

/** Messages of a channel to these people that were sent, and about which the upstream has said nothing yet. */
export const findUnconfirmedChatMessages = batchLoaderOn<
  UnconfirmedChatMessagesQuery,
  UnconfirmedChatMessage[]
>(async (pool, queries) => {
  const asked = queries.flatMap(({ contacts, ...query }, nth) =>
    contacts.map((contact) => ({ ...query, contact, nth })),
  );
  const { rows } = await pool.query<UnconfirmedChatMessage & { nth: number }>({
    name: 'messages in flight',
    text: `SELECT nth, found.* FROM unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::bigint[])
        AS asked (nth, account, channel, contact, since),
      LATERAL (SELECT id, destination, created_at FROM messages
        WHERE account_id = asked.account AND channel = asked.channel AND destination = asked.contact
          AND id >= asked.since AND state IN ('accepted', 'submitted') OFFSET 0) AS found`,
    values: [
      asked.map(({ nth }) => nth),
      asked.map(({ account }) => account),
      asked.map(({ channel }) => channel),
      asked.map(({ contact }) => contact),
      asked.map(({ at }) => firstIdAt(at - IN_FLIGHT_MS)),
    ],
  });
  const found = queries.map((): UnconfirmedChatMessage[] => []);
  for (const { nth, ...message } of rows) found[nth]!.push(message);
  return found;
});

/** The templates of an account that the upstream knows by these ids. */
export const findTemplatesByUpstreamId = async (
  pool: Pool,
  account: number,
  upstreamIds: readonly string[],
): Promise<{ id: number; upstream_id: string }[]> => {
  const { rows } = await pool.query<{ id: number; upstream_id: string }>({
    name: 'templates named',
    text: `SELECT id, upstream_id FROM templates
      WHERE account_id = $1 AND upstream_id = ANY($2::text[]) AND upstream_id <> '' AND NOT removed`,
    values: [account, upstreamIds],
  });
  return rows;
};
