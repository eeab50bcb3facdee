/** The files an account may name in its requests. */
import type { Pool } from 'pg';

export interface MediaRow {
  id: string;
  kind: string;
  /** Epoch milliseconds; null: it stays. */
  expires_at: number | null;
}

/** Those of these files that the account has and that have not gone. `at`: epoch milliseconds. */
export const mediaOf = async (
  pool: Pool,
  account: number,
  ids: readonly string[],
  at: number,
): Promise<Map<string, MediaRow>> => {
  if (ids.length === 0) return new Map();
  const found = await pool.query<MediaRow>({
    name: 'media of account',
    text: `SELECT id, kind, expires_at FROM media
      WHERE account_id = $1 AND id = ANY($2::text[]) AND (expires_at IS NULL OR expires_at > $3)`,
    values: [account, ids, at],
  });
  return new Map(found.rows.map((row) => [row.id, row]));
};
