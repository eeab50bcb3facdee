/** Caller ids of a pool that have had their calls of the hour, as a call finds them trunk by trunk. */
import { mayTrunkShowCallerId } from './whyTrunkExcluded.ts';
import type { TrunkCandidates } from './trunkTypes.ts';

export interface CallerIdsAtHourlyLimit {
  callerIds: readonly string[];
  /** When one of them may be shown again, epoch milliseconds. */
  until: number;
}

/** Those that the trunk may show are full as well; one of them is free again at `until`. */
export const addCallerIdsAtHourlyLimit = (
  full: CallerIdsAtHourlyLimit | undefined,
  { pool, candidates }: TrunkCandidates,
  trunk: string,
  until: number,
): CallerIdsAtHourlyLimit => {
  const taken = candidates.find(({ name }) => name === trunk);
  const shown = pool?.callerIds.filter((one) => !taken || mayTrunkShowCallerId(taken, one)) ?? [];
  return {
    callerIds: [...(full?.callerIds ?? []), ...shown],
    until: Math.min(full?.until ?? Infinity, until),
  };
};

/** The trunks that may show another one of the pool. */
export const excludeTrunksWithoutFreeCallerId = (
  choice: TrunkCandidates,
  full: CallerIdsAtHourlyLimit | undefined,
): TrunkCandidates => {
  const others = full && choice.pool?.callerIds.filter((one) => !full.callerIds.includes(one));
  if (!others) return choice;
  return {
    ...choice,
    candidates: choice.candidates.filter((trunk) => others.some((one) => mayTrunkShowCallerId(trunk, one))),
  };
};
