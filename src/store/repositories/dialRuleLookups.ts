/** What the admission of calls looks up. */
import type { MachineEngine } from '../../engine/contract/api.ts';
import type { DialClearanceRepository } from '../../providers/contracts/dialClearance.ts';
import { storeIdempotentAnswer } from '../idempotencyKeyClaims.ts';
import { amountToTenThousandths } from '../../rules/accounts/pricing.ts';
import type { ClosedPrefixes } from '../../rules/trunks/trunkTypes.ts';
import type { ControlDatabase } from '../controlDatabase.ts';
import { lookUpAccountBlocklist, lookUpGlobalBlocklist } from '../reads/lists/blocklist.ts';
import { countEarlierCalls } from '../reads/voice/callLimits.ts';
import { readClaimedKeyAnswer } from '../reads/claims.ts';
import { isCampaignPaused } from '../reads/campaigns/campaigns.ts';
import { type ControlAndShardPools, getShardPool } from '../pools.ts';

export const dialClearanceRepository = (
  databases: ControlAndShardPools,
  control: ControlDatabase,
  keep: MachineEngine['keep'],
): DialClearanceRepository => ({
  account: async ({ account }) => {
    const row = await control.account(account);
    if (!row) return undefined;
    const { calling_windows: callingWindows, concurrent_calls: concurrentCalls, time_zone: zone } = row;
    const active = (await control.switchedOff(row)) === undefined;
    const { open = [], closed = [] } = row.closed_prefixes as Partial<ClosedPrefixes>;
    const spendPerDay =
      row.spend_per_day === null ? null : Number(amountToTenThousandths(row.spend_per_day.toFixed(4)));
    return { active, callingWindows, concurrentCalls, closedPrefixes: { open, closed }, spendPerDay, zone };
  },
  blocked: async ({ shard, account }, number) => {
    const [own, global] = await Promise.all([
      lookUpAccountBlocklist(getShardPool(databases, shard), { account, number }),
      lookUpGlobalBlocklist(databases.control.pool, number),
    ]);
    if (own !== undefined) return { list: 'account', reason: own };
    return global === undefined ? undefined : { list: 'global', reason: global };
  },
  campaignPaused: ({ shard, account }, campaign) =>
    isCampaignPaused(getShardPool(databases, shard), account, campaign),
  callsBefore: ({ shard, account, id }, query) =>
    countEarlierCalls(getShardPool(databases, shard), { ...query, account, id }),
  rested: ({ shard, account }, { number, scope }) =>
    readClaimedKeyAnswer(getShardPool(databases, shard), account, restKey(scope, number), Date.now()),
  rest: async ({ shard, account, id }, { number, scope, reason }) => {
    const claim = { key: restKey(scope, number), forMs: REST_MS, answer: reason };
    await storeIdempotentAnswer(getShardPool(databases, shard), account, claim, {
      owner: String(id),
      at: Date.now(),
    });
  },
  block: async ({ shard, account }, number, reason) => {
    await keep(shard, { blocked: [{ account, number, reason, at: Date.now(), replaces: false }] });
  },
});

/** A number rests longer than any campaign lasts. */
const REST_MS = 366 * 86_400_000;

const restKey = (scope: string, number: string): string => `rest:${scope}:${number}`;
