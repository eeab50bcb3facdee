/**
 * When a call that no trunk may carry now is to ask again. A real one asks every minute; in a forecast nothing changes but the
 * hours of trunks and their days.
 */
import type { TrunkChooser } from '../providers/dialClearance/trunkChoice.ts';
import { regionOfNumber } from '../rules/voice/parsePhoneNumber.ts';
import type { TrunkCandidates, TrunkChoiceRequest } from '../rules/trunks/trunkTypes.ts';
import type { SimulatedDailySpendTracker } from './simulatedDailySpending.ts';

const DAY_MS = 86_400_000;
/** Hours are looked at in such steps, so many days ahead. */
const STEP_MS = 5 * 60_000;
const DAYS = 8;

export interface TrunkChoiceChangeTimes {
  /** Epoch milliseconds; a day later where no time changes it. `callerIdAsked`: no pool of caller ids chooses another. */
  otherwiseAt(wanted: TrunkChoiceRequest, choice: TrunkCandidates, callerIdAsked?: boolean): number;
}

export const createNextTrunkOpeningFinder = (
  trunks: Pick<TrunkChooser, 'choose'>,
  { trunksDayEndsAt }: Pick<SimulatedDailySpendTracker, 'trunksDayEndsAt'>,
): TrunkChoiceChangeTimes => {
  const known = new Map<string, number>();

  const firstOpen = (wanted: TrunkChoiceRequest, callerIdAsked?: boolean): number => {
    const last = wanted.at + DAYS * DAY_MS;
    let at = Math.ceil((wanted.at + 1) / STEP_MS) * STEP_MS;
    while (at < last && trunks.choose({ ...wanted, at }, callerIdAsked).candidates.length === 0)
      at += STEP_MS;
    return at;
  };

  /** Numbers of one region that the same trunks are closed to wait for the same moment. */
  const opensAt = (
    wanted: TrunkChoiceRequest,
    { leftOut }: TrunkCandidates,
    callerIdAsked?: boolean,
  ): number => {
    const against = leftOut.map(({ trunk, reason }) => `${trunk}:${reason}`).join();
    const key = `${Math.floor(wanted.at / STEP_MS)} ${regionOfNumber(wanted.number)?.state ?? ''} ${against}`;
    const found = known.get(key) ?? firstOpen(wanted, callerIdAsked);
    known.set(key, found);
    return found;
  };

  return {
    otherwiseAt: (wanted, choice, callerIdAsked) => {
      const has = (reason: string): boolean => choice.leftOut.some((one) => one.reason === reason);
      return Math.min(
        wanted.at + DAY_MS,
        has('dayLimit') ? trunksDayEndsAt() : Infinity,
        has('hours') ? opensAt(wanted, choice, callerIdAsked) : Infinity,
      );
    },
  };
};
