/** What the rules of SMS look up: the block list, the price and the routes to a number, and the texts that may name a bank. */
import type { Pool } from 'pg';
import { batchLoaderOn } from '../batchLoader.ts';

export interface SmsPriceAndRoutesQuery {
  /** The account and those above it, nearest first. The routes are those of the first that has any. */
  accounts: readonly number[];
  /** Digits in international format. */
  number: string;
  /** Only routes of this name. */
  name?: string | undefined;
}

export interface SmsRouteRow {
  owner: number;
  route: number;
  /** What goes by it reaches no real recipient. */
  sandbox: boolean;
}

export interface SmsPriceAndRoutes {
  /** It is on the account's own block list. */
  blocked: boolean;
  /** Of a segment, by the account's longest prefix, as `0.0800`; undefined: there is none. */
  price: string | undefined;
  /** Active routes whose prefix is the longest that fits, in the order in which they are tried. */
  routes: SmsRouteRow[];
}

/** Routes that are tried at most. */
const mostRoutes = 10;

/** All that an SMS to a number needs to know of its account's shard, in one question. */
export const findSmsPriceAndRoutes = batchLoaderOn<SmsPriceAndRoutesQuery, SmsPriceAndRoutes>(
  async (pool, queries) => {
    const { rows } = await pool.query<RulesRow>({
      name: 'sms rules',
      text: `SELECT nth::int AS nth, blocked, price, owner, route, sandbox
      FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (accounts, number, name, nth),
      LATERAL (SELECT (asked.accounts::int[])[1] AS id) account,
      LATERAL (SELECT EXISTS (SELECT FROM blocklist b WHERE b.account_id = account.id AND b.number = asked.number) AS blocked,
        (SELECT price::text FROM tariffs WHERE account_id = account.id AND starts_with(asked.number, prefix)
          ORDER BY length(prefix) DESC LIMIT 1) AS price) own
      LEFT JOIN LATERAL (SELECT owner.id AS owner, fit.id AS route, fit.kind = 'sandbox' AS sandbox, position
        FROM (SELECT a.id FROM unnest(asked.accounts::int[]) WITH ORDINALITY AS a (id, nth)
          WHERE EXISTS (SELECT FROM sms_routes r WHERE r.account_id = a.id) ORDER BY a.nth LIMIT 1) owner,
        LATERAL (SELECT id, position, kind, rank() OVER (ORDER BY length(prefix) DESC) AS nearness
          FROM sms_routes r WHERE r.account_id = owner.id AND r.active AND starts_with(asked.number, r.prefix)
            AND (asked.name IS NULL OR r.name = asked.name)) fit
        WHERE nearness = 1 ORDER BY position, fit.id LIMIT $4) fitting ON true
      ORDER BY nth, position, route`,
      values: [
        queries.map(({ accounts }) => `{${accounts.join()}}`),
        queries.map(({ number }) => number),
        queries.map(({ name }) => name ?? null),
        mostRoutes,
      ],
    });
    const found = queries.map((): SmsPriceAndRoutes => ({ blocked: false, price: undefined, routes: [] }));
    for (const { nth, blocked, price, owner, route, sandbox } of rows) {
      const rules = found[nth - 1]!;
      Object.assign(rules, { blocked, price: price ?? undefined });
      if (route !== null) rules.routes.push({ owner, route, sandbox });
    }
    return found;
  },
);

/** One for each route; where there is none, one without. */
type RulesRow = { nth: number; blocked: boolean; price: string | null } & (
  | SmsRouteRow
  | { owner: null; route: null; sandbox: null }
);

/** The account's approved models that are active. */
export const readApprovedSmsTexts = async (pool: Pool, account: number): Promise<string[]> => {
  const { rows } = await pool.query<{ text: string }>({
    name: 'approved models',
    text: 'SELECT text FROM approved_models WHERE account_id = $1 AND active ORDER BY id',
    values: [account],
  });
  return rows.map(({ text }) => text);
};
