/** Whether the agent or queue that a second leg names is there and takes calls. */
import type { Pool } from 'pg';

/** Undefined: the account has no such agent. */
export const findAgentActiveFlag = (pool: Pool, account: number, id: number): Promise<boolean | undefined> =>
  activeIn(pool, 'agents', account, id);

/** Undefined: the account has no such queue. */
export const findQueueActiveFlag = (pool: Pool, account: number, id: number): Promise<boolean | undefined> =>
  activeIn(pool, 'queues', account, id);

const activeIn = async (pool: Pool, table: 'agents' | 'queues', account: number, id: number) => {
  const { rows } = await pool.query<{ active: boolean }>({
    name: `active ${table}`,
    text: `SELECT active FROM ${table} WHERE account_id = $1 AND id = $2`,
    values: [account, id],
  });
  return rows[0]?.active;
};
