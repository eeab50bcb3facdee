/** Who pays for calls, and what is reserved for them. */
import type { Pool } from 'pg';
import type { ChargeRepository } from '../../providers/clearance/prepaidCallCharging.ts';
import { amountToTenThousandths } from '../../rules/accounts/pricing.ts';
import { balancesOf } from '../balances.ts';
import {
  changeCharge,
  chargesWithoutRow,
  dropCharge,
  reopenCharge,
  openCharge,
  amountReservedForCall,
  withDueCharges,
} from '../callCharges.ts';
import type { ControlDatabase } from '../controlDatabase.ts';
import { getShard } from '../pools.ts';

/** Worked on at a time. */
const MOST = 5_000;

export const chargeRepository = (
  databases: { shards: ReadonlyMap<string, { pool: Pool }> },
  control: ControlDatabase,
): ChargeRepository => {
  const poolOf = (shard: string): Pool => getShard(databases, shard).pool;
  return {
    terms: async ({ account }) => {
      const row = await control.cachedAccount(account);
      if (!row?.charge_calls) return undefined;
      const rate = amountToTenThousandths(row.call_rate.toFixed(4));
      return rate > 0n ? { rate, payers: (await control.payersOf(row)).map(({ id }) => id) } : undefined;
    },
    balances: ({ shard }, payers) => balancesOf(poolOf(shard), payers),
    open: ({ shard }, charge, at) => openCharge(poolOf(shard), charge, at),
    reserved: ({ shard }, call) => amountReservedForCall(poolOf(shard), call),
    drop: ({ shard }, call) => dropCharge(poolOf(shard), call),
    forgotten: (shard, afterId) => chargesWithoutRow(poolOf(shard), afterId, MOST),
    openAgain: ({ shard }, charge, openedAt) => reopenCharge(poolOf(shard), charge, openedAt),
    shards: [...databases.shards.keys()],
    due: (shard, work) =>
      withDueCharges(poolOf(shard), MOST, (due, client) =>
        work(due, {
          reserved: (call) => amountReservedForCall(client, call),
          change: (call, change) => changeCharge(client, call, change),
          drop: (call) => dropCharge(client, call),
        }),
      ),
  };
};
