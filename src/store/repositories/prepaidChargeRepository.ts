/** Who pays for calls, and what is reserved for them. */
import type { Pool } from 'pg';
import type { ChargeRepository } from '../../providers/dialClearance/prepaidCallCharging.ts';
import { amountToTenThousandths } from '../../rules/accounts/pricing.ts';
import { readAccountBalances } from '../balances.ts';
import {
  changeCharge,
  findLedgerChargesWithoutRow,
  dropCharge,
  restoreForgottenCharge,
  openCharge,
  readCallReservationsByPayer,
  withLockedUnsettledCallCharges,
} from '../callChargeReservations.ts';
import type { ControlDatabase } from '../controlDatabase.ts';
import { getShardByName } from '../pools.ts';

/** Worked on at a time. */
const MOST = 5_000;

export const prepaidCallChargeRepository = (
  databases: { shards: ReadonlyMap<string, { pool: Pool }> },
  control: ControlDatabase,
): ChargeRepository => {
  const poolOf = (shard: string): Pool => getShardByName(databases, shard).pool;
  return {
    terms: async ({ account }) => {
      const row = await control.cachedAccount(account);
      if (!row?.charge_calls) return undefined;
      const rate = amountToTenThousandths(row.call_rate.toFixed(4));
      return rate > 0n ? { rate, payers: (await control.payersOf(row)).map(({ id }) => id) } : undefined;
    },
    balances: ({ shard }, payers) => readAccountBalances(poolOf(shard), payers),
    open: ({ shard }, charge, at) => openCharge(poolOf(shard), charge, at),
    reserved: ({ shard }, call) => readCallReservationsByPayer(poolOf(shard), call),
    drop: ({ shard }, call) => dropCharge(poolOf(shard), call),
    forgotten: (shard, afterId) => findLedgerChargesWithoutRow(poolOf(shard), afterId, MOST),
    openAgain: ({ shard }, charge, openedAt) => restoreForgottenCharge(poolOf(shard), charge, openedAt),
    shards: [...databases.shards.keys()],
    due: (shard, work) =>
      withLockedUnsettledCallCharges(poolOf(shard), MOST, (due, client) =>
        work(due, {
          reserved: (call) => readCallReservationsByPayer(client, call),
          change: (call, change) => changeCharge(client, call, change),
          drop: (call) => dropCharge(client, call),
        }),
      ),
  };
};
