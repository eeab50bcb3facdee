/** What the rules of SMS look up: the price, the ways that lead to a number, and the texts that may name a bank. */
import type { Pool } from 'pg';
import { gatherOn } from './gather.ts';

/** Price of a segment by the longest prefix, as `0.0800`; undefined: there is none. */
export const smsTariff = gatherOn<TariffQuery, string | undefined>(async (pool, queries) => {
  const { rows } = await pool.query<{ nth: number; price: string }>({
    name: 'sms tariffs',
    text: `SELECT nth::int AS nth, price::text AS price
      FROM unnest($1::int[], $2::text[]) WITH ORDINALITY AS asked (account, number, nth),
      LATERAL (SELECT price FROM tariffs WHERE account_id = asked.account AND starts_with(asked.number, prefix)
        ORDER BY length(prefix) DESC LIMIT 1) fit`,
    values: [queries.map(({ account }) => account), queries.map(({ number }) => number)],
  });
  const found = new Map(rows.map(({ nth, price }) => [nth, price]));
  return queries.map((_, index) => found.get(index + 1));
});

export interface TariffQuery {
  account: number;
  /** Digits in international format. */
  number: string;
}

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
  /** Nobody gets what goes by it. */
  sandbox: boolean;
}

/** Ways that are tried at most. */
const mostWays = 10;

/** Active routes whose prefix is the longest that fits, in the order in which they are tried. */
export const smsWays = gatherOn<WaysQuery, SmsWay[]>(async (pool, queries) => {
  const { rows } = await pool.query<SmsWay & { nth: number }>({
    name: 'sms ways',
    text: `SELECT nth::int AS nth, owner.id AS owner, way.id AS route, way.kind = 'sandbox' AS sandbox
      FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (accounts, number, name, nth),
      LATERAL (SELECT a.id FROM unnest(asked.accounts::int[]) WITH ORDINALITY AS a (id, nth)
        WHERE EXISTS (SELECT FROM sms_routes r WHERE r.account_id = a.id) ORDER BY a.nth LIMIT 1) owner,
      LATERAL (SELECT id, position, kind FROM (SELECT id, position, kind, rank() OVER (ORDER BY length(prefix) DESC) AS nearness
          FROM sms_routes r WHERE r.account_id = owner.id AND r.active AND starts_with(asked.number, r.prefix)
          AND (asked.name IS NULL OR r.name = asked.name)) fit
        WHERE nearness = 1 ORDER BY position, id LIMIT $4) way
      ORDER BY nth, way.position, way.id`,
    values: [
      queries.map(({ accounts }) => `{${accounts.join()}}`),
      queries.map(({ number }) => number),
      queries.map(({ name }) => name ?? null),
      mostWays,
    ],
  });
  const found = queries.map((): SmsWay[] => []);
  for (const { nth, ...way } of rows) found[nth - 1]!.push(way);
  return found;
});

/** The account's approved models that are active. */
export const approvedModels = async (pool: Pool, account: number): Promise<string[]> => {
  const { rows } = await pool.query<{ text: string }>({
    name: 'approved models',
    text: 'SELECT text FROM approved_models WHERE account_id = $1 AND active ORDER BY id',
    values: [account],
  });
  return rows.map(({ text }) => text);
};
