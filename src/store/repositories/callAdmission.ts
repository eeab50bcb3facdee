/** What the admission of calls looks up. */
import type { Engine } from '../../engine/contract/api.ts';
import type { AdmissionRepository } from '../../providers/clearance.ts';
import { keepAnswer } from '../claims.ts';
import { toUnits } from '../../rules/accounts/pricing.ts';
import type { ClosedPrefixes } from '../../rules/trunks/trunk.ts';
import type { Control } from '../control.ts';
import { accountBlock, globalBlock } from '../reads/lists/blocklist.ts';
import { callsBefore } from '../reads/voice/callLimits.ts';
import { claimAnswer } from '../reads/claims.ts';
import { campaignPaused } from '../reads/campaigns/campaigns.ts';
import { type DatabasePools, poolOf } from '../pools.ts';

export const admissionRepository = (
  databases: DatabasePools,
  control: Control,
  keep: Engine['keep'],
): AdmissionRepository => ({
  account: async ({ account }) => {
    const row = await control.account(account);
    if (!row) return undefined;
    const { calling_windows: callingWindows, concurrent_calls: concurrentCalls, time_zone: zone } = row;
    const active = (await control.switchedOff(row)) === undefined;
    const { open = [], closed = [] } = row.closed_prefixes as Partial<ClosedPrefixes>;
    const spendPerDay = row.spend_per_day === null ? null : Number(toUnits(row.spend_per_day.toFixed(4)));
    return { active, callingWindows, concurrentCalls, closedPrefixes: { open, closed }, spendPerDay, zone };
  },
  blocked: async ({ shard, account }, number) => {
    const [own, global] = await Promise.all([
      accountBlock(poolOf(databases, shard), { account, number }),
      globalBlock(databases.control.pool, number),
    ]);
    if (own !== undefined) return { list: 'account', reason: own };
    return global === undefined ? undefined : { list: 'global', reason: global };
  },
  campaignPaused: ({ shard, account }, campaign) =>
    campaignPaused(poolOf(databases, shard), account, campaign),
  callsBefore: ({ shard, account, id }, query) =>
    callsBefore(poolOf(databases, shard), { ...query, account, id }),
  rested: ({ shard, account }, { number, scope }) =>
    claimAnswer(poolOf(databases, shard), account, restKey(scope, number), Date.now()),
  rest: async ({ shard, account, id }, { number, scope, reason }) => {
    const claim = { key: restKey(scope, number), forMs: REST_MS, answer: reason };
    await keepAnswer(poolOf(databases, shard), account, claim, { owner: String(id), at: Date.now() });
  },
  block: async ({ shard, account }, number, reason) => {
    await keep(shard, { blocked: [{ account, number, reason, at: Date.now(), replaces: false }] });
  },
});

/** A number rests longer than any campaign lasts. */
const REST_MS = 366 * 86_400_000;

const restKey = (scope: string, number: string): string => `rest:${scope}:${number}`;
