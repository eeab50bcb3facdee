/** The contact-centre queues of an account. */
import type { Pool } from 'pg';

export interface ContactCenterQueueRow {
  id: number;
  name: string;
  type: string;
  description: string;
  active: boolean;
  /** Epoch milliseconds. */
  created_at: number;
  /** JSON as it is kept. */
  settings: unknown;
}

/** Those that are active, in no order. */
export const activeQueues = async (pool: Pool, account: number): Promise<ContactCenterQueueRow[]> => {
  const { rows } = await pool.query<ContactCenterQueueRow>({
    name: 'active queues of account',
    text: `SELECT id, name, type, description, active, created_at, settings
      FROM queues WHERE account_id = $1 AND active`,
    values: [account],
  });
  return rows;
};
