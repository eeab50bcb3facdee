/** What the demo account has, so that a start makes what is missing of its furniture and touches nothing that was used. */
import type { Pool } from 'pg';

/** What an account can have of its own. */
export interface AccountContents {
  /** Something was called, sent or run for it: its owner has moved in. */
  used: boolean;
  agents: boolean;
  queues: boolean;
  lists: boolean;
  audios: boolean;
  campaigns: boolean;
  /** How many, removed ones too. */
  templates: number;
}

/** What an account has. */
export const readAccountContentFlags = async (pool: Pool, account: number): Promise<AccountContents> => {
  const any = (table: string) => `EXISTS (SELECT FROM ${table} WHERE account_id = $1)`;
  const { rows } = await pool.query<AccountContents>(
    `SELECT ${any('calls')} OR ${any('messages')} AS used, ${any('agents')} AS agents, ${any('queues')} AS queues,
        ${any('lists')} AS lists, ${any('audios')} AS audios, ${any('campaigns')} AS campaigns,
        (SELECT count(*)::int FROM templates WHERE account_id = $1) AS templates`,
    [account],
  );
  return rows[0]!;
};
