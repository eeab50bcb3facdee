/** Addresses that failed too often, as they are kept for the next start: what one process counted outlives it. */
import type { Pool } from 'pg';

export interface Lockout {
  /** An address, or the network that counts as one. */
  address: string;
  /** Failures within the last hour, as many as count. */
  failures: number;
  /** The last of them, epoch milliseconds. */
  failedAt: number;
  /** Epoch milliseconds; 0: it is not blocked. */
  blockedUntil: number;
}

/** Rows that are kept; beyond that the longest unheard of go. */
export const mostLockouts = 10_000;

/** Those that still mean something, the newest first. `since`: failures before that count no more. */
export const readLockouts = async (
  pool: Pool,
  { now, since }: { now: number; since: number },
): Promise<Lockout[]> => {
  const { rows } = await pool.query<Lockout>(
    `SELECT address, failures, failed_at AS "failedAt", blocked_until AS "blockedUntil" FROM lockouts
     WHERE blocked_until > $1 OR failed_at > $2 ORDER BY failed_at DESC LIMIT $3`,
    [now, since, mostLockouts],
  );
  return rows;
};

/** Several nodes may write the same address: the longest block stays. */
export const writeLockouts = async (pool: Pool, lockouts: readonly Lockout[]): Promise<void> => {
  await pool.query(
    `INSERT INTO lockouts AS kept (address, failures, failed_at, blocked_until)
     SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[])
     ON CONFLICT (address) DO UPDATE SET failures = EXCLUDED.failures, failed_at = EXCLUDED.failed_at,
       blocked_until = greatest(kept.blocked_until, EXCLUDED.blocked_until)`,
    [
      lockouts.map(({ address }) => address),
      lockouts.map(({ failures }) => failures),
      lockouts.map(({ failedAt }) => failedAt),
      lockouts.map(({ blockedUntil }) => blockedUntil),
    ],
  );
};

export const forgetLockout = async (pool: Pool, address: string): Promise<void> => {
  await pool.query('DELETE FROM lockouts WHERE address = $1', [address]);
};

/** Removes what means nothing any more, and what is more than may be kept. */
export const sweepLockouts = async (
  pool: Pool,
  { now, since }: { now: number; since: number },
): Promise<void> => {
  await pool.query('DELETE FROM lockouts WHERE blocked_until <= $1 AND failed_at <= $2', [now, since]);
  await pool.query(
    `DELETE FROM lockouts WHERE address IN
     (SELECT address FROM lockouts ORDER BY failed_at DESC, address OFFSET $1)`,
    [mostLockouts],
  );
};
