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
}

const columns = `account_id, id, class, provider, app_name, number, business_id, page_id, photo_account_id,
  api_key, app_secret, verify_token, forward_url, active`;

/** A line of an account, active or not; undefined: it has none with this id. */
export const chatLineOf = async (
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
