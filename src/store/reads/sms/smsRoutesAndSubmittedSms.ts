/** What the SMS router reads: routes with what is secret still sealed, and the messages that a route took. */
import type { Pool } from 'pg';

export interface SmsRouteRow {
  account: number;
  id: number;
  kind: string;
  settings: unknown;
  /** Sealed; empty: none. */
  secret: string;
  /** Another one whenever what the carrier is opened with changes. */
  version: string;
}

const columns = `account_id AS account, id, kind, settings, secret,
  md5(concat_ws(' ', kind, settings::text, secret)) AS version`;

/** An active route; undefined: the account has none with this id. */
export const findActiveSmsRoute = async (
  pool: Pool,
  account: number,
  id: number,
): Promise<SmsRouteRow | undefined> => {
  const { rows } = await pool.query<SmsRouteRow>({
    name: 'sms route',
    text: `SELECT ${columns} FROM sms_routes WHERE account_id = $1 AND id = $2 AND active`,
    values: [account, id],
  });
  return rows[0];
};

/** All active routes of these kinds, of all accounts. */
export const readActiveSmsRoutes = async (
  pool: Pool,
  { kinds, limit }: { kinds: readonly string[]; limit: number },
): Promise<SmsRouteRow[]> => {
  const { rows } = await pool.query<SmsRouteRow>({
    name: 'standing sms routes',
    text: `SELECT ${columns} FROM sms_routes WHERE active AND kind = ANY($1::text[])
      ORDER BY account_id, id LIMIT $2`,
    values: [kinds, limit],
  });
  return rows;
};

/** The message of one of these accounts that this route took under this id of the carrier's. */
export const findSubmittedSms = async (
  pool: Pool,
  { accounts, route, providerId }: { accounts: readonly number[]; route: number; providerId: string },
): Promise<{ account: number; id: number } | undefined> => {
  const { rows } = await pool.query<{ account: number; id: number }>({
    name: 'message taken',
    text: `SELECT account_id AS account, id FROM messages
      WHERE account_id = ANY($1::int[]) AND provider_id = $2 AND channel = 'sms' AND route_id = $3
      ORDER BY id DESC LIMIT 1`,
    values: [accounts, providerId, route],
  });
  return rows[0];
};

/**
 * The newest message of unknown outcome that one of these accounts sent to this number by this route, and whose id ends
 * in these two bytes.
 */
export const findUnknownOutcomeSmsForReceipt = async (
  pool: Pool,
  asked: { accounts: readonly number[]; route: number; to: string; reference: number },
): Promise<{ account: number; id: number } | undefined> => {
  const { rows } = await pool.query<{ account: number; id: number }>({
    name: 'message adrift',
    text: `SELECT account_id AS account, id FROM messages
      WHERE account_id = ANY($1::int[]) AND destination = $2 AND channel = 'sms' AND route_id = $3
        AND state = 'unknown' AND NOT finished AND id % 65536 = $4::bigint
      ORDER BY id DESC LIMIT 1`,
    values: [asked.accounts, asked.to, asked.route, asked.reference],
  });
  return rows[0];
};

/** Which of these kinds have active routes. */
export const findActiveSmsRouteKinds = async (pool: Pool, kinds: readonly string[]): Promise<string[]> => {
  const { rows } = await pool.query<{ kind: string }>({
    name: 'kinds of sms routes in use',
    text: `SELECT kind FROM unnest($1::text[]) AS kind
      WHERE EXISTS (SELECT FROM sms_routes WHERE sms_routes.kind = kind.kind AND active)`,
    values: [kinds],
  });
  return rows.map(({ kind }) => kind);
};

/** Whether the account has a route that reaches real recipients. */
export const hasRealRoute = async (pool: Pool, account: number): Promise<boolean> => {
  const { rows } = await pool.query<{ real: boolean }>({
    name: 'has a real sms route',
    text: `SELECT EXISTS (SELECT FROM sms_routes WHERE account_id = $1 AND active AND kind <> 'sandbox') AS real`,
    values: [account],
  });
  return rows[0]!.real;
};
