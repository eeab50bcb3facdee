/** The message log as operators search it: newest first, a page by key. */
import type { Pool } from 'pg';
import type { MessageModel } from '../../../generated/prisma/models.ts';

/** A row of the log; its numbers come as numbers. */
export type MessageRow = {
  [Column in keyof MessageModel]: MessageModel[Column] extends bigint
    ? number
    : MessageModel[Column] extends bigint | null
      ? number | null
      : MessageModel[Column];
};

export interface MessageQuery {
  account: number;
  /** Part of the body, or a whole destination, ctid or provider id. */
  text?: string | undefined;
  channel?: string | undefined;
  state?: string | undefined;
  correlation?: string | undefined;
  destination?: string | undefined;
  /** Older than this id. */
  before: number;
  limit: number;
}

export interface MessagePage {
  rows: MessageRow[];
  /** Where the next page begins; null: nothing older is left. */
  before: number | null;
}

/** Messages that one search looks through; the next page goes on from there. */
const searchedRows = 50_000;

/** Whether only reading one message after the other finds what is sought: no index knows it. */
const readsThrough = ({ text, channel, state, correlation, destination }: MessageQuery): boolean =>
  correlation === undefined &&
  destination === undefined &&
  [text, channel, state].some((filter) => filter !== undefined);

export const readMessagePage = async (pool: Pool, query: MessageQuery): Promise<MessagePage> => {
  const floor = readsThrough(query) ? await floorOf(pool, query) : 0;
  const rows = await read(pool, query, floor);
  if (rows.length > query.limit) {
    const page = rows.slice(0, query.limit);
    return { rows: page, before: page.at(-1)!.id };
  }
  return { rows, before: floor === 0 ? null : floor };
};

/** The oldest id that a search looks at, below which there are more; 0: it looks at all. */
const floorOf = async (pool: Pool, { account, before }: MessageQuery): Promise<number> => {
  const { rows } = await pool.query<{ id: number }>({
    name: 'message search floor',
    text: `SELECT id FROM messages WHERE account_id = $1 AND id < $2 ORDER BY id DESC OFFSET ${searchedRows - 1} LIMIT 1`,
    values: [account, before],
  });
  return rows[0]?.id ?? 0;
};

const read = async (pool: Pool, query: MessageQuery, floor: number): Promise<MessageRow[]> => {
  const { account, text, channel, state, correlation, destination, before, limit } = query;
  const { rows } = await pool.query<MessageRow>({
    text: `SELECT * FROM messages WHERE account_id = $1 AND id < $2 AND id >= $3
      AND ($4::text IS NULL OR body ILIKE $5 OR $4 IN (destination, correlation, provider_id))
      AND ($6::text IS NULL OR channel = $6) AND ($7::text IS NULL OR state = $7)
      AND ($8::text IS NULL OR correlation = $8) AND ($9::text IS NULL OR destination = $9)
      ORDER BY id DESC LIMIT $10`,
    values: [
      ...[account, before, floor, text ?? null, `%${(text ?? '').replace(/[\\%_]/g, '\\$&')}%`],
      ...[channel ?? null, state ?? null, correlation ?? null, destination ?? null, limit + 1],
    ],
  });
  return rows;
};

export const findMessageById = async (
  pool: Pool,
  account: number,
  id: number,
): Promise<MessageRow | undefined> => {
  const { rows } = await pool.query<MessageRow>({
    name: 'message',
    text: 'SELECT * FROM messages WHERE account_id = $1 AND id = $2',
    values: [account, id],
  });
  return rows[0];
};
