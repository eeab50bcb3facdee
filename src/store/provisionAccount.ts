/** What an account has in its shard from the first moment: a balance, a tariff for every number, a way for SMS. */
import type { Pool } from 'pg';
import { MONEY_BALANCE_NAME } from './balances.ts';
import { runJournaledTransaction } from './rowChanges/journaledPoolTransaction.ts';

export interface NewAccountBalanceAndTariff {
  account: number;
  /** Ten-thousandths. */
  balance: bigint;
  /** `route`: of its sandbox route for SMS; undefined: it begins with none, and sends by those of its reseller. */
  ids: { tariff: number; route: number | undefined };
  /** Epoch milliseconds. */
  at: number;
}

/** The ledger's first entry; minted ids are above it. */
export const OPENING_LEDGER_ENTRY = { id: 1, entry: 'opening' } as const;
/** Price of an SMS segment until an operator sets another. */
const usualPrice = '0.08';

/** Makes what is missing; done twice, it is as if done once. */
export const createAccountBalanceAndTariff = (
  pool: Pool,
  { account, balance, ids, at }: NewAccountBalanceAndTariff,
): Promise<void> =>
  runJournaledTransaction(pool, async (client, touch) => {
    await touch('tariffs', [{ account_id: account, id: ids.tariff }]);
    if (ids.route !== undefined) await touch('sms_routes', [{ account_id: account, id: ids.route }]);
    await client.query({
      name: 'provision',
      text: `WITH balance AS (INSERT INTO balances (account_id, name, amount) VALUES ($1::int, '${MONEY_BALANCE_NAME}', $2::bigint)
        ON CONFLICT DO NOTHING RETURNING 1),
      entered AS (INSERT INTO ledger (account_id, id, at, entry, amount)
        SELECT $1::int, ${OPENING_LEDGER_ENTRY.id}, $3::bigint, '${OPENING_LEDGER_ENTRY.entry}', $2::bigint FROM balance WHERE $2::bigint > 0),
      tariff AS (INSERT INTO tariffs (account_id, id, prefix, price, created_at)
        SELECT $1::int, $4::int, '', ${usualPrice}, $3::bigint FROM balance)
      INSERT INTO sms_routes (account_id, id, name, kind, created_at)
        SELECT $1::int, $5::int, 'sandbox', 'sandbox', $3::bigint FROM balance WHERE $5::int IS NOT NULL`,
      values: [account, String(balance), at, ids.tariff, ids.route ?? null],
    });
  });
