/** What the dialler of campaigns looks up. */
import type { DiallerRepository } from '../../providers/dialler.ts';
import type { Control } from '../control.ts';
import { allGlobalBlocks } from '../reads/lists/blocklist.ts';
import { nextDestinations } from '../reads/campaigns/destinations.ts';
import { liveCalls } from '../reads/voice/liveCalls.ts';
import { lostCalls } from '../reads/voice/lostCalls.ts';
import { generateDestinations } from '../sql/generateDestinations.ts';
import { type DatabasePools, poolOf, shardOf } from '../pools.ts';

export const diallerRepository = (databases: DatabasePools, control: Control): DiallerRepository => ({
  account: async ({ account }) => {
    const row = await control.account(account);
    return row
      ? {
          active: (await control.switchedOff(row)) === undefined,
          zone: row.time_zone,
          keepsTable: row.campaign_windows,
          table: row.calling_windows,
        }
      : undefined;
  },
  generate: async ({ shard, account, id }, { list, selection }, signal) => {
    const globalBlocks = selection.skipBlocklist ? [] : await allGlobalBlocks(databases.control.pool);
    return generateDestinations(
      shardOf(databases, shard).bulk,
      { account, campaign: id, list, selection, globalBlocks },
      signal,
    );
  },
  destinations: ({ shard, account, id }, query) =>
    nextDestinations(poolOf(databases, shard), { ...query, account, campaign: id }),
  lostCalls: ({ shard, account, id }, calls) =>
    lostCalls(poolOf(databases, shard), { account, campaign: id, calls }),
  liveCalls: ({ shard, account, id }, query) =>
    liveCalls(poolOf(databases, shard), { ...query, account, campaign: id }),
});
