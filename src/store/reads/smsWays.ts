/** What the rules of SMS look up: the price, the ways that lead to a number, and the texts that may name a bank. */
import type { Pool } from 'pg';

/** Price of a segment by the longest prefix, as `0.0800`; undefined: there is none. */
export const smsTariff = async (pool: Pool, account: number, number: string): Promise<string | undefined> => {
  const { rows } = await pool.query<{ price: string }>({
    name: 'sms tariff',
    text: `SELECT price::text AS price FROM tariffs WHERE account_id = $1 AND starts_with($2, prefix)
      ORDER BY length(prefix) DESC LIMIT 1`,
    values: [account, number],
  });
  return rows[0]?.price;
};

export interface WaysQuery {
  /** The account and those above it, nearest first. The first that has any route is asked. */
  accounts: readonly number[];
  /** Digits in international format. */
  number: string;
  /** Only routes of this name. */
  name?: string | undefined;
}

export interface SmsWay {
  owner: number;
  route: number;
}

/** Ways that are tried at most. */
const mostWays = 10;

/** Active routes whose prefix is the longest that fits, in the order in which they are tried. */
export const smsWays = async (pool: Pool, { accounts, number, name }: WaysQuery): Promise<SmsWay[]> => {
  const { rows } = await pool.query<SmsWay>({
    name: 'sms ways',
    text: `WITH owner AS (SELECT a.id FROM unnest($1::int[]) WITH ORDINALITY AS a (id, nth)
        WHERE EXISTS (SELECT FROM sms_routes r WHERE r.account_id = a.id) ORDER BY a.nth LIMIT 1),
      fit AS (SELECT r.account_id, r.id, r.prefix, r.position FROM sms_routes r
        WHERE r.account_id = (SELECT id FROM owner) AND r.active AND starts_with($2, r.prefix)
        AND ($3::text IS NULL OR r.name = $3))
      SELECT account_id AS owner, id AS route FROM fit
      WHERE length(prefix) = (SELECT max(length(prefix)) FROM fit) ORDER BY position, id LIMIT $4`,
    values: [accounts, number, name ?? null, mostWays],
  });
  return rows;
};

/** The account's approved models that are active. */
export const approvedModels = async (pool: Pool, account: number): Promise<string[]> => {
  const { rows } = await pool.query<{ text: string }>({
    name: 'approved models',
    text: 'SELECT text FROM approved_models WHERE account_id = $1 AND active ORDER BY id',
    values: [account],
  });
  return rows.map(({ text }) => text);
};
