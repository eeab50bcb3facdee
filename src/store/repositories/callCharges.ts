/** Who pays for calls, and what is reserved for them. */
import type { Pool } from 'pg';
import type { ChargeRepository } from '../../providers/clearance/callCharges.ts';
import { toUnits } from '../../rules/accounts/pricing.ts';
import { balancesOf } from '../balances.ts';
import {
  changeCharge,
  chargesWithoutRow,
  dropCharge,
  openAgain,
  openCharge,
  reservedFor,
  withDueCharges,
} from '../callCharges.ts';
import type { Control } from '../control.ts';
import { shardOf } from '../pools.ts';

/** Worked on at a time. */
const MOST = 5_000;

export const chargeRepository = (
  databases: { shards: ReadonlyMap<string, { pool: Pool }> },
  control: Control,
): ChargeRepository => {
  const poolOf = (shard: string): Pool => shardOf(databases, shard).pool;
  return {
    terms: async ({ account }) => {
      const row = await control.cachedAccount(account);
      if (!row?.charge_calls) return undefined;
      const rate = toUnits(row.call_rate.toFixed(4));
      return rate > 0n ? { rate, payers: (await control.payersOf(row)).map(({ id }) => id) } : undefined;
    },
    balances: ({ shard }, payers) => balancesOf(poolOf(shard), payers),
    open: ({ shard }, charge, at) => openCharge(poolOf(shard), charge, at),
    reserved: ({ shard }, call) => reservedFor(poolOf(shard), call),
    drop: ({ shard }, call) => dropCharge(poolOf(shard), call),
    forgotten: (shard, afterId) => chargesWithoutRow(poolOf(shard), afterId, MOST),
    openAgain: ({ shard }, charge, openedAt) => openAgain(poolOf(shard), charge, openedAt),
    shards: [...databases.shards.keys()],
    due: (shard, work) =>
      withDueCharges(poolOf(shard), MOST, (due, client) =>
        work(due, {
          reserved: (call) => reservedFor(client, call),
          change: (call, change) => changeCharge(client, call, change),
          drop: (call) => dropCharge(client, call),
        }),
      ),
  };
};
