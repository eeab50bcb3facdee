/** What the dialler of campaigns looks up. */
import type { CampaignDestinationRepository } from '../../providers/contracts/campaignDestinations.ts';
import type { ControlDatabase } from '../controlDatabase.ts';
import { allGlobalBlocks } from '../reads/lists/blocklist.ts';
import { nextDestinations } from '../reads/campaigns/nextDestinations.ts';
import { findLiveUnansweredCallIds } from '../reads/voice/findLiveUnansweredCallIds.ts';
import { findCallsLostToCampaign } from '../reads/voice/findCallsLostToCampaign.ts';
import { createDestinationsFromList } from '../sql/generateDestinations.ts';
import { type ControlAndShardPools, getShardPool, getShardByName } from '../pools.ts';

export const campaignDestinationRepository = (
  databases: ControlAndShardPools,
  control: ControlDatabase,
): CampaignDestinationRepository => ({
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
    return createDestinationsFromList(
      getShardByName(databases, shard).bulk,
      { account, campaign: id, list, selection, globalBlocks },
      signal,
    );
  },
  destinations: ({ shard, account, id }, query) =>
    nextDestinations(getShardPool(databases, shard), { ...query, account, campaign: id }),
  lostCalls: ({ shard, account, id }, calls) =>
    findCallsLostToCampaign(getShardPool(databases, shard), { account, campaign: id, calls }),
  liveCalls: ({ shard, account, id }, query) =>
    findLiveUnansweredCallIds(getShardPool(databases, shard), { ...query, account, campaign: id }),
});
