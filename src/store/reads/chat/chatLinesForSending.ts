/** Chat lines (spec 2.6.1) as they are looked up to send by them. */
import type { Pool } from 'pg';

export interface ChatLineRow {
  account_id: number;
  id: number;
  class: string;
  provider: string;
  app_name: string;
  number: string;
  business_id: string;
  page_id: string;
  photo_account_id: string;
  /** Sealed; empty: none. */
  api_key: string;
  app_secret: string;
  verify_token: string;
  forward_url: string;
  active: boolean;
  sandbox: boolean;
}

const columns = `account_id, id, class, provider, app_name, number, business_id, page_id, photo_account_id,
  api_key, app_secret, verify_token, forward_url, active, sandbox`;

/** A line of an account, active or not; undefined: it has none with this id. */
export const findChatLineById = async (
  pool: Pool,
  account: number,
  id: number,
): Promise<ChatLineRow | undefined> => {
  const { rows } = await pool.query<ChatLineRow>({
    name: 'chat line',
    text: `SELECT ${columns} FROM chat_lines WHERE account_id = $1 AND id = $2`,
    values: [account, id],
  });
  return rows[0];
};

/** What a customer may know of a line. */
export type PublicChatLine = Pick<
  ChatLineRow,
  'id' | 'number' | 'app_name' | 'page_id' | 'photo_account_id' | 'active'
>;

/** The lines of an account in a class, active or not, oldest first. An account has at most 200 (`src/admin/chat/chatLines.ts`). */
export const chatLinesOfClass = async (
  pool: Pool,
  account: number,
  lineClass: string,
): Promise<PublicChatLine[]> => {
  const { rows } = await pool.query<PublicChatLine>({
    name: 'chat lines of a class',
    text: `SELECT id, number, app_name, page_id, photo_account_id, active FROM chat_lines
      WHERE account_id = $1 AND class = $2 ORDER BY id LIMIT 200`,
    values: [account, lineClass],
  });
  return rows;
};

/** The sandbox's line with this id, as a list; ids are unique over all accounts. */
export const sandboxChatLineById = async (pool: Pool, id: number): Promise<ChatLineRow[]> => {
  const { rows } = await pool.query<ChatLineRow>({
    name: 'chat line by id',
    text: `SELECT ${columns} FROM chat_lines WHERE id = $1 AND sandbox`,
    values: [id],
  });
  return rows;
};

/** The sandbox's lines, of whatever account, that name this id of the upstream: its whole world. */
export const findSandboxChatLines = async (pool: Pool, upstreamId: string): Promise<ChatLineRow[]> => {
  const { rows } = await pool.query<ChatLineRow>({
    name: 'chat lines at',
    text: `SELECT ${columns} FROM chat_lines
      WHERE sandbox AND $1 IN (app_name, business_id, page_id, photo_account_id) AND $1 <> '' ORDER BY id LIMIT 100`,
    values: [upstreamId],
  });
  return rows;
};
