/** As whom a call asks for capacity. Pure: a forecast asks its limiter as admission does. */
import type { TrunkCandidates } from '../../rules/trunks/trunkTypes.ts';
import type { CallMachineRef } from '../contracts/dialClearance.ts';
import type { CapacityRequest } from './capacityLimiter.ts';
import type { DialClearanceRequest } from './checkDialRules.ts';

/** spec 4.2 `priority`: before everything. */
const BEFORE_OTHERS = -20;

/**
 * Accounts take turns. An account's single calls are one lane, each campaign another; the account's own limit counts for
 * campaigns (null: none). Calls that a trunk refused already come before others: their callee waits for one outcome.
 */
export const toCapacityRequest = (
  { priority, campaign, tried = [] }: DialClearanceRequest,
  { shard, account }: CallMachineRef,
  concurrentCalls: number | null,
  { candidates }: TrunkCandidates,
): CapacityRequest => {
  const owner = `${shard}.${account}`;
  const trunks = candidates.map(({ name }) => name);
  const whose = campaign === undefined ? owner : `${owner}.${campaign}`;
  const share = campaign !== undefined && concurrentCalls !== null;
  return {
    ...{ account: owner, lane: `${whose} ${trunks.join('|')}`, trunks },
    priority: tried.length > 0 ? BEFORE_OTHERS : priority,
    ...(share && { share: { owner, slots: concurrentCalls } }),
  };
};
