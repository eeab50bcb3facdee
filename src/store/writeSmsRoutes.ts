/** SMS routes as they are written: the first real one of an account takes the place of its sandbox, in one transaction. */
import type { Pool, PoolClient } from 'pg';
import { type DeclareRowsToWrite, runJournaledTransaction } from './rowChanges/journaledPoolTransaction.ts';

export interface NewSmsRoute {
  account_id: number;
  id: number;
  name: string;
  kind: string;
  prefix: string;
  position: number;
  settings: object;
  /** Sealed; empty: none. */
  secret: string;
  active: boolean;
  /** Epoch milliseconds. */
  created_at: number;
}

/** Absent: it stays. */
export type SmsRouteChanges = {
  [Column in 'name' | 'prefix' | 'position' | 'settings' | 'secret' | 'active']?:
    | NewSmsRoute[Column]
    | undefined;
};

interface RouteKey {
  account: number;
  id: number;
}

/** Writes a route. Answers the ids of the sandbox routes that are switched off by it. */
export const addSmsRouteReplacingSandbox = (pool: Pool, route: NewSmsRoute): Promise<number[]> => {
  const { account_id, id, name, kind, prefix, position, settings, secret, active, created_at } = route;
  return replacing(pool, { account: account_id, id }, (client) =>
    client.query(
      `INSERT INTO sms_routes (account_id, id, name, kind, prefix, position, settings, secret, active, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [account_id, id, name, kind, prefix, position, JSON.stringify(settings), secret, active, created_at],
    ),
  );
};

/** Changes a route, which is there. Answers the ids of the sandbox routes that are switched off by it. */
export const changeSmsRoute = (pool: Pool, key: RouteKey, changes: SmsRouteChanges): Promise<number[]> => {
  const { name, prefix, position, settings, secret, active } = changes;
  return replacing(pool, key, (client) =>
    client.query(
      `UPDATE sms_routes SET name = coalesce($3, name), prefix = coalesce($4, prefix),
          position = coalesce($5, position), settings = coalesce($6, settings), secret = coalesce($7, secret),
          active = coalesce($8, active)
        WHERE account_id = $1 AND id = $2`,
      [
        ...[key.account, key.id, name, prefix, position],
        ...[settings && JSON.stringify(settings), secret, active],
      ],
    ),
  );
};

/** One write of an account's routes after the other: of two that come at once only one is the first. */
const replacing = (
  pool: Pool,
  key: RouteKey,
  write: (client: PoolClient) => Promise<unknown>,
): Promise<number[]> =>
  runJournaledTransaction(pool, async (client, touch) => {
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('sms routes ' || $1, 0))`, [
      key.account,
    ]);
    await touch('sms_routes', [{ account_id: key.account, id: key.id }]);
    const before = await realRoutes(client, key.account);
    await write(client);
    const after = await realRoutes(client, key.account);
    return before.length === 0 && after.length > 0 ? switchSandboxOff(client, touch, key) : [];
  });

/** Active routes that reach real recipients. */
const realRoutes = async (client: PoolClient, account: number): Promise<number[]> => {
  const { rows } = await client.query<{ id: number }>(
    `SELECT id FROM sms_routes WHERE account_id = $1 AND active AND kind <> 'sandbox'`,
    [account],
  );
  return rows.map(({ id }) => id);
};

/** Also sorts it behind the real one, in case an operator switches it on again. */
const switchSandboxOff = async (
  client: PoolClient,
  touch: DeclareRowsToWrite,
  key: RouteKey,
): Promise<number[]> => {
  const { rows } = await client.query<{ id: number }>(
    `SELECT id FROM sms_routes WHERE account_id = $1 AND active AND kind = 'sandbox' ORDER BY id`,
    [key.account],
  );
  const ids = rows.map(({ id }) => id);
  await touch(
    'sms_routes',
    ids.map((id) => ({ account_id: key.account, id })),
  );
  await client.query(
    `UPDATE sms_routes AS sandbox SET active = false,
        position = greatest(sandbox.position, least(first.position + 1, ${lastPosition}))
      FROM sms_routes AS first
      WHERE sandbox.account_id = $1 AND sandbox.id = ANY($2::int[]) AND first.account_id = $1 AND first.id = $3`,
    [key.account, ids, key.id],
  );
  return ids;
};

/** As operators may write it. */
const lastPosition = 1_000_000;
