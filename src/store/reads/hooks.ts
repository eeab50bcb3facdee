/** What hooks of chat channels are about: whose a line is, and which message, or template, the upstream means. */
import type { Pool } from 'pg';
import { firstIdAt } from '../../engine/ids.ts';

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
export const accountOfRoute = async (pool: Pool, route: number): Promise<number | undefined> => {
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

export interface NamedMessage {
  id: number;
  /** Empty: not acknowledged, or by nobody. */
  provider_id: string;
  state: string;
  finished: boolean;
}

/** Not of one line: several may stand for the same number or page. */
interface OfChannel {
  account: number;
  /** msgapp, pagechat, photodm. */
  channel: string;
}

/** The messages of a channel that have one of these ids, or that the upstream knows by one of its own. */
export const messagesNamed = async (
  pool: Pool,
  {
    account,
    channel,
    ids,
    providerIds,
  }: OfChannel & { ids: readonly number[]; providerIds: readonly string[] },
): Promise<NamedMessage[]> => {
  const { rows } = await pool.query<NamedMessage>({
    name: 'messages named',
    text: `SELECT id, provider_id, state, finished FROM messages
        WHERE account_id = $1 AND channel = $2 AND id = ANY($3::bigint[])
      UNION SELECT id, provider_id, state, finished FROM messages
        WHERE account_id = $1 AND channel = $2 AND provider_id = ANY($4::text[]) AND provider_id <> ''`,
    values: [account, channel, ids, providerIds],
  });
  return rows;
};

/** How far back a receipt for "everything until then" goes, and how many messages it takes, the newest first. */
const UP_TO_DAYS = 30;
const UP_TO_MESSAGES = 500;

/**
 * The upstream's clock and the database's may be so far apart, milliseconds. It is allowed for where a message is told
 * to be delivered, and not where a person is told to have read it: the next word of that kind makes up for it.
 */
export const CLOCKS_APART_MS = 2_000;

/** Acknowledged messages to a person, submitted by this moment, of which this has not been heard. */
export const messagesUpTo = async (
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
      status === 'delivered' ? until + CLOCKS_APART_MS : until,
      ['acknowledged', status === 'read' ? 'delivered' : 'read'],
    ],
  });
  return rows.map(({ id }) => id);
};

export interface MessageInFlight {
  id: number;
  destination: string;
  created_at: number;
}

/** No message is on its way for longer: by then nobody knows what became of it. */
const IN_FLIGHT_MS = 2 * 3_600_000;

/** Messages of a channel to these people that were sent, and about which the upstream has said nothing yet. */
export const messagesInFlight = async (
  pool: Pool,
  { account, channel, contacts, at }: OfChannel & { contacts: readonly string[]; at: number },
): Promise<MessageInFlight[]> => {
  const { rows } = await pool.query<MessageInFlight>({
    name: 'messages in flight',
    text: `SELECT id, destination, created_at FROM messages
      WHERE account_id = $1 AND channel = $2 AND destination = ANY($3::text[]) AND id >= $4::bigint
        AND state IN ('accepted', 'submitted')`,
    values: [account, channel, contacts, firstIdAt(at - IN_FLIGHT_MS)],
  });
  return rows;
};

/** The templates of an account that the upstream knows by these ids. */
export const templatesNamed = async (
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
