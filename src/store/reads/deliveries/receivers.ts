/** What waits for each receiver of callbacks and files, and what it has not taken. */
import type { Pool } from 'pg';

export interface DeliveryReceiverRow {
  account_id: number;
  /** As records of deliveries write it. */
  target: string;
  /** On their way at this moment. */
  attempting: number;
  /** Wait for another attempt, or for their turn. */
  retrying: number;
  /** Events that wait behind the one under way. */
  waiting: number;
  dead: number;
  /** Of the newest that failed; empty: none did. */
  last_error: string;
  /** When the oldest dead letter began, epoch milliseconds; null: there is none. */
  dead_since: number | null;
  /** The next attempt; null: none is due. */
  next_at: number | null;
}

/** Receivers of what has not ended, the most dead letters first. Reads the table of machines. */
export const listDeliveryReceivers = async (pool: Pool, limit: number): Promise<DeliveryReceiverRow[]> => {
  const { rows } = await pool.query<DeliveryReceiverRow>({
    name: 'receivers of deliveries',
    text: `SELECT d.account_id, d.target,
        count(*) FILTER (WHERE m.state = 'attempting')::int AS attempting,
        count(*) FILTER (WHERE m.state IN ('retrying', 'deferred'))::int AS retrying,
        coalesce(sum(d.waiting), 0)::int AS waiting,
        count(*) FILTER (WHERE m.state = 'deadLetter')::int AS dead,
        coalesce((array_agg(d.last_error ORDER BY d.id DESC) FILTER (WHERE d.last_error <> ''))[1], '') AS last_error,
        min(d.created_at) FILTER (WHERE m.state = 'deadLetter') AS dead_since,
        min(d.next_at) AS next_at
      FROM machines m JOIN deliveries d ON d.account_id = m.account_id AND d.id = m.id
      WHERE m.kind = 'delivery' AND m.ended_at IS NULL
      GROUP BY 1, 2 ORDER BY dead DESC, retrying DESC, 1, 2 LIMIT $1`,
    values: [limit],
  });
  return rows;
};
