/**
 * Records of deliveries as operators look for them. One that is written down and not started yet (docs/decisions/0021) has
 * none: what its record will say is read from its machine, with the state `pending`.
 */
import type { Pool } from 'pg';
import { PENDING_MACHINE_STATE } from '../../../engine/contract/deferredStart.ts';

export interface DeliveryRow {
  id: number;
  /** Epoch milliseconds, as are the other moments. */
  created_at: number;
  purpose: string;
  subject: string;
  target: string;
  about_id: number;
  state: string;
  attempts: number;
  /** `cd_returl`: 0 pending, +attempts delivered, -attempts given up. */
  result: number;
  waiting: number;
  /** Of one that is pending: why its birth failed. */
  last_error: string;
  next_at: number | null;
  delivered_at: number | null;
  finished: boolean;
}

export interface DeliveryQuery {
  account: number;
  /** Epoch milliseconds: now. */
  at: number;
  state?: string | undefined;
  /** The id of what they are about. */
  about?: number | undefined;
  purpose?: string | undefined;
  /** Where they go, as it is recorded. */
  target?: string | undefined;
  /** When they began: from, and before. */
  since?: number | undefined;
  until?: number | undefined;
  /** Only smaller ids. */
  belowId?: number | undefined;
  limit: number;
}

/** The newest first. What is born meanwhile is found once: it is one statement. */
export const findDeliveries = async (pool: Pool, query: DeliveryQuery): Promise<DeliveryRow[]> => {
  const values: unknown[] = [query.account, query.at];
  const where = ['account_id = $1'];
  const only = (value: unknown, clause: string): void => {
    if (value !== undefined) where.push(`${clause} $${values.push(value)}`);
  };
  only(query.state, 'state =');
  only(query.about, 'about_id =');
  only(query.purpose, 'purpose =');
  only(query.target, 'target =');
  only(query.since, 'created_at >=');
  only(query.until, 'created_at <');
  only(query.belowId, 'id <');
  const page = `WHERE ${where.join(' AND ')} ORDER BY id DESC LIMIT $${values.push(query.limit)}`;
  const { rows } = await pool.query<DeliveryRow>(
    `WITH pending AS MATERIALIZED (${pending})
      (SELECT ${columns} FROM deliveries ${page}) UNION ALL (SELECT ${columns} FROM pending ${page})
      ORDER BY id DESC LIMIT $${values.length}`,
    values,
  );
  return rows;
};

const columns = `id, created_at, purpose, subject, target, about_id, state, attempts, result, waiting, last_error,
  next_at, delivered_at, finished`;

/** They were due when they were written down, unless their birth failed: few machines are, and an index knows them. */
const pending = `SELECT account_id, id, created_at, snapshot->'pending'->>'purpose' AS purpose,
    snapshot->'pending'->>'about' AS subject, snapshot->'pending'->>'target' AS target,
    coalesce((snapshot->'pending'->>'aboutId')::bigint, 0) AS about_id, state, 0 AS attempts, 0 AS result, 0 AS waiting,
    coalesce(attention, '') AS last_error, wake_at AS next_at, NULL::bigint AS delivered_at, false AS finished
  FROM machines
  WHERE account_id = $1 AND (wake_at <= $2 OR attention IS NOT NULL) AND kind = 'delivery' AND state = '${PENDING_MACHINE_STATE}'`;

/** How what is told of a call or message stands. */
export type CallbackDeliveryRow = DeliveryRow;

/** The callbacks of a call or message; undefined: it has no callback address. `at`: epoch milliseconds. */
export const findCallbackDeliveryBySubject = async (
  pool: Pool,
  account: number,
  about: number,
  at: number,
): Promise<CallbackDeliveryRow | undefined> => {
  const [found] = await findDeliveries(pool, { account, about, at, purpose: 'callback', limit: 1 });
  return found;
};
