/**
 * Call admission of a forecast: the rules of the real one about numbers, limits of a day, trunks, prices and balances, with the
 * real limiter, on the virtual clock. Lists, rests and limits of a number are not asked.
 */
import type { DialClearanceEffects, DialClearanceEvent } from '../../machines/contracts/clearance.ts';
import { toCapacityRequest } from '../providers/dialClearance/asker.ts';
import { insufficientBalanceDialRefusal } from '../providers/dialClearance/prepaidCallCharging.ts';
import { CapacityLimiter } from '../providers/dialClearance/capacityLimiter.ts';
import type { Slot } from '../providers/dialClearance/heldSlots.ts';
import { prefixOrDayLimitObjection } from '../providers/dialClearance/checkDialRules.ts';
import {
  getTrunkFailoverSipStatuses,
  trunkLegTariff,
  explainTrunkChoice,
  openTrunkChooser,
  trunkCriteriaFor,
  objectIfNoTrunkAvailable,
} from '../providers/dialClearance/trunkChoice.ts';
import {
  addCallerIdsAtHourlyLimit,
  type CallerIdsAtHourlyLimit,
  excludeTrunksWithoutFreeCallerId,
} from '../rules/trunks/fullCallerIds.ts';
import type { TrunkCandidates, TrunkChoiceRequest } from '../rules/trunks/trunkTypes.ts';
import { SimulatedCallerIds } from './simulateCallerIdChoice.ts';
import type { SimulatedForecastCalls, OngoingForecastCall } from './simulatedCalls.ts';
import type { SimulatedCharges } from './simulatedPrepaidCharges.ts';
import type { VirtualClock } from './clock.ts';
import { phoneNumberOfForecastPlaceholder } from './simulatedDestinationList.ts';
import type { LeftOutTotals } from './leftOut.ts';
import type { ForecastSimulationInput } from './scenarioAndResultTypes.ts';
import type { SimulatedDailySpendTracker } from './simulatedDailySpending.ts';
import { evenlySpreadRandom } from './evenlySpreadRandom.ts';
import { createNextTrunkOpeningFinder } from './nextTrunkOpening.ts';

type Question = DialClearanceEffects['requestClearance'];

export interface CallAdmissionSimulator {
  /** Answers the call, at once or when its turn comes. */
  ask(call: OngoingForecastCall, question: Question): void;
  /** The slot of this call is used by this leg. */
  dialled(call: OngoingForecastCall, leg: number): void;
  /** The leg is gone; without one the call, with all that it held or waited for. */
  release(call: OngoingForecastCall, leg?: number): void;
}

export interface SimulatedAdmissionDeps {
  clock: VirtualClock;
  spending: SimulatedDailySpendTracker;
  /** Undefined: calls are not paid out of a balance. */
  charges: SimulatedCharges | undefined;
  leftOut: LeftOutTotals;
}

interface Asked {
  call: OngoingForecastCall;
  question: Question;
  choice: TrunkCandidates;
  /** Caller ids that it could not show on a trunk that it was granted before. */
  full?: CallerIdsAtHourlyLimit;
}

export const openSimulatedAdmission = (
  scenario: ForecastSimulationInput,
  { clock, spending, charges, leftOut }: SimulatedAdmissionDeps,
  calls: () => SimulatedForecastCalls,
): CallAdmissionSimulator => {
  const { account, trunks: table } = scenario;
  const byName = new Map(table.trunks.map((trunk) => [trunk.name, trunk]));
  const trunks = openTrunkChooser({
    now: () => table,
    trunk: (name) => byName.get(name),
    spentToday: spending.ofTrunk,
  });
  const limiter = new CapacityLimiter({ capacityOf: trunks.capacityOf, clock });
  const hours = createNextTrunkOpeningFinder(trunks, spending);
  const callerIds = new SimulatedCallerIds();
  const keyOf = ({ id }: OngoingForecastCall): string => String(id);
  const callerOf = ({ id }: OngoingForecastCall) => ({ shard: '', account: account.id, id });

  const wanted = (call: OngoingForecastCall, question: Question): TrunkChoiceRequest => ({
    ...trunkCriteriaFor(question, callerOf(call), clock.now()),
    draw: evenlySpreadRandom(call.id, question.attempt),
  });

  /** What speaks against the attempt, or the trunks that may carry it. */
  const judge = (
    call: OngoingForecastCall,
    question: Question,
  ): { objection: DialClearanceEvent } | { choice: TrunkCandidates } => {
    const at = clock.now();
    const spentToday = (): number => spending.ofAccount();
    const tolled = prefixOrDayLimitObjection(question, callerOf(call), { account, at, spentToday });
    if (tolled) {
      leftOut.told(call, { ...namesOf(tolled.objection), trunks: [] });
      const { objection } = tolled;
      return {
        objection: 'until' in objection ? { ...objection, until: spending.accountsDayEndsAt() } : objection,
      };
    }
    const asked = wanted(call, question);
    const choice = trunks.choose(asked, question.callerIdAsked);
    const objection = objectIfNoTrunkAvailable(question, choice, at);
    if (!objection) return { choice };
    const { trunks: against = [] } = explainTrunkChoice(question, choice, {});
    leftOut.told(call, { ...namesOf(objection), trunks: against });
    return {
      objection:
        objection.type === 'postponed'
          ? { ...objection, until: hours.otherwiseAt(asked, choice, question.callerIdAsked) }
          : objection,
    };
  };

  const noRoom = (until: number, reason: 'capacity' | 'callerId' = 'capacity'): DialClearanceEvent => ({
    ...{ type: 'postponed', reason, detail: 'no capacity', until },
  });

  /** Undefined: it is shown, or the call shows its own; else when one of its pool may be shown again. */
  const showCallerId = (
    { destination }: Question,
    { pool }: TrunkCandidates,
    name: string,
  ): number | undefined => {
    const trunk = byName.get(name);
    return pool && trunk && callerIds.take({ pool, trunk, number: destination, at: clock.now() });
  };

  /** A trunk has room: so must the caller ids have, and the balances. */
  const cleared = (
    { call, question, choice, full }: Asked,
    { trunk }: Slot,
  ): DialClearanceEvent | undefined => {
    const freeAt = showCallerId(question, choice, trunk);
    if (freeAt !== undefined) {
      limiter.release(keyOf(call));
      return decide(call, question, addCallerIdsAtHourlyLimit(full, choice, trunk, freeAt));
    }
    if (charges && !charges.open(call)) {
      limiter.release(keyOf(call));
      const objection = insufficientBalanceDialRefusal(callerOf(call), {});
      leftOut.told(call, { ...namesOf(objection), trunks: [] });
      return objection;
    }
    return {
      ...{ type: 'cleared', route: trunk },
      ...getTrunkFailoverSipStatuses(choice, trunk),
      ...trunkLegTariff(choice, trunk, question.destination),
    };
  };

  /** The answer; undefined: it comes later. */
  const decide = (
    call: OngoingForecastCall,
    question: Question,
    full?: CallerIdsAtHourlyLimit,
  ): DialClearanceEvent | undefined => {
    const judgement = judge(call, question);
    if ('objection' in judgement) return judgement.objection;
    const choice = excludeTrunksWithoutFreeCallerId(judgement.choice, full);
    if (full && choice.candidates.length === 0) return noRoom(full.until, 'callerId');
    const asked = { call, question, choice, ...(full && { full }) };
    const asker = toCapacityRequest(question, callerOf(call), account.concurrentCalls, asked.choice);
    const answer = limiter.ask(keyOf(call), asker, {
      granted: (slot) => judgeAgain(asked, slot),
      turnedAway: (comeBackAt) => tell(call, noRoom(comeBackAt)),
    });
    if (answer === 'waiting') return undefined;
    return 'granted' in answer ? cleared(asked, answer.granted) : noRoom(answer.comeBackAt);
  };

  /** Its turn came after a wait: the trunk may have spent what it may by now. */
  const judgeAgain = ({ call, question, full }: Asked, slot: Slot): void => {
    const judgement = judge(call, question);
    const isStill =
      'choice' in judgement && judgement.choice.candidates.some(({ name }) => name === slot.trunk);
    const answer = isStill
      ? cleared({ call, question, choice: judgement.choice, ...(full && { full }) }, slot)
      : decideAgain(call, question, full);
    if (answer) tell(call, answer);
  };

  const decideAgain = (call: OngoingForecastCall, question: Question, full?: CallerIdsAtHourlyLimit) => {
    limiter.release(keyOf(call));
    return decide(call, question, full);
  };

  const tell = (call: OngoingForecastCall, answer: DialClearanceEvent): void =>
    calls().hearLater(call, 0, answer);

  return {
    ask: (call, asked) => {
      const answer = decide(call, {
        ...asked,
        destination: phoneNumberOfForecastPlaceholder(call.numbers, asked.destination),
      });
      if (answer) calls().hear(call, answer);
    },
    // Here every end is reported.
    dialled: (call, leg) => limiter.dialled(keyOf(call), leg, Infinity),
    release: (call, leg) => limiter.release(keyOf(call), leg),
  };
};

const namesOf = (objection: { type: string; reason?: string }) => ({
  type: objection.type as 'refused' | 'postponed',
  reason: objection.reason ?? '',
});
