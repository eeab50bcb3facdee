/**
 * Clears every attempt: account, block lists, limits, window, trunks, capacity; the first "no" is the answer. A call that
 * had to wait for capacity is judged again when its turn comes.
 */
import type {
  DialClearanceEffects,
  DialClearanceEvent,
  DialRuleAnswers,
} from '../../../machines/contracts/clearance.ts';
import type {
  CallMachineRef,
  DialClearance,
  DialClearanceRepository,
  ClockWithTimers,
} from '../contracts/dialClearance.ts';
import type { EffectCall, EffectResult, ReportFactToMachine } from '../../engine/contract/performer.ts';
import { lruOf } from '../../lib/lru.ts';
import { toCapacityRequest } from './asker.ts';
import { type CallCharger, insufficientBalanceDialRefusal } from './prepaidCallCharging.ts';
import {
  type CallerIdChooser,
  callerIdQuestion,
  callerIdsFull,
  type ShownCallerId,
} from './callerIdChoice.ts';
import { CapacityLimiter } from './capacityLimiter.ts';
import type { Slot } from './heldSlots.ts';
import {
  type DialClearanceAnswer,
  type DialRulesResult,
  openDialRulesCheck,
  type DialClearanceRequest,
  withErrorsAsRetryable,
} from './checkDialRules.ts';
import {
  objectIfNoTrunkAvailable,
  getTrunkFailoverSipStatuses,
  trunkLegTariff,
  type TrunkChooser,
  explainTrunkChoice,
  trunkCriteriaFor,
} from './trunkChoice.ts';
import {
  addCallerIdsAtHourlyLimit,
  type CallerIdsAtHourlyLimit,
  excludeTrunksWithoutFreeCallerId,
} from '../../rules/trunks/fullCallerIds.ts';
import type { TrunkCandidates } from '../../rules/trunks/trunkTypes.ts';

export interface DialClearanceAdmissionOptions {
  repository: DialClearanceRepository;
  /** Which trunks there are, and what they bear. */
  trunks: TrunkChooser;
  /** Chooses caller ids where a pool is for the call. Default: every call shows its own. */
  callerIds?: CallerIdChooser;
  /** Reserves what a call costs. Default: no call is paid for before it is made. */
  charges?: Pick<CallCharger, 'open' | 'wouldCover'>;
  report: ReportFactToMachine;
  clock: ClockWithTimers;
  /** The time of a shard, epoch milliseconds: calls compare with it what they are told. Default: `clock`'s. */
  now?(shard: string): number;
  /** What the calls of an account cost today, ten-thousandths of the currency. Default: nothing. */
  spentToday?(account: number, zone: string): number;
  /** How many questions may wait for capacity, of all accounts. Default 50,000. */
  waiting?: number;
  /** `CapacityLimiterOptions.heldMs`. */
  heldMs?: number;
}

/** A call whose turn came while the repository could not be read asks again after this long. */
const UNREAD_MS = 5_000;

/** Withdrawals that are remembered: one may overtake its question, which is judged by the database first. */
const WITHDRAWN_AT_MOST = 20_000;

/** What tells an answer from those to other questions of the same call. */
const questionOf = ({ question }: DialClearanceRequest): { question?: number } =>
  question === undefined ? {} : { question };

/** Opens call admission for this process. Performers throw `Retryable` when its data cannot be read. */
export const openCallAdmission = (options: DialClearanceAdmissionOptions): DialClearance => {
  const { repository, trunks, callerIds, charges, report, clock, now = () => clock.now() } = options;
  const { spentToday, waiting, heldMs } = options;
  const judge = openDialRulesCheck({ repository, clock, now, ...(spentToday && { spentToday }) });
  const gate = new CapacityLimiter({
    ...{ capacityOf: trunks.capacityOf, clock },
    ...(waiting !== undefined && { waiting }),
    ...(heldMs !== undefined && { heldMs }),
  });

  /** The last question that a call has withdrawn. */
  const withdrawn = lruOf<string, number>(WITHDRAWN_AT_MOST);
  const isWithdrawn = ({ question }: DialClearanceRequest, caller: CallMachineRef): boolean =>
    question !== undefined && question <= (withdrawn.get(keyOf(caller)) ?? -1);

  const requestClearance = async (call: EffectCall<DialClearanceRequest>): Promise<EffectResult | void> => {
    const answer = await answerTo(call);
    return answer && { events: [{ ...answer, ...questionOf(call.params) }] };
  };

  /** The first "no", a yes, or nothing when it comes later. */
  const answerTo = async ({
    machine,
    params,
  }: EffectCall<DialClearanceRequest>): Promise<DialClearanceAnswer | undefined> =>
    decide(params, machine, await judge(params, machine), clock.now());

  /** What follows from the rules: a "no", or whether a trunk has capacity now. `since`: when it began to wait. */
  const decide = async (
    question: DialClearanceRequest,
    caller: CallMachineRef,
    judgement: DialRulesResult,
    since: number,
    full?: CallerIdsAtHourlyLimit,
  ): Promise<DialClearanceAnswer | undefined> => {
    const { choice: all, answers, objection } = withTrunks(question, caller, judgement);
    if (objection) return { ...objection, answers };
    const choice = excludeTrunksWithoutFreeCallerId(all, full);
    if (full && choice.candidates.length === 0) return callerIdsFull(choice, full.until, answers);
    return askForCapacity({ question, caller, since, choice, answers, judgement, ...(full && { full }) });
  };

  const withTrunks = (
    question: DialClearanceRequest,
    caller: CallMachineRef,
    { objection, answers }: DialRulesResult,
  ) => {
    const at = now(caller.shard);
    const choice = trunks.choose(trunkCriteriaFor(question, caller, at), question.callerIdAsked);
    return {
      choice,
      answers: { ...answers, ...(!objection && explainTrunkChoice(question, choice, answers)) },
      objection: objection ?? objectIfNoTrunkAvailable(question, choice, at),
    };
  };

  /** The answer, or nothing when it comes later. */
  const askForCapacity = async (asked: Asked): Promise<DialClearanceAnswer | undefined> => {
    const { question, caller, answers, choice, judgement } = asked;
    if (isWithdrawn(question, caller)) return undefined;
    const tell = (answer: DialClearanceAnswer): void =>
      report(nameOf(caller), { ...answer, ...questionOf(question) });
    const asker = toCapacityRequest(question, caller, judgement.concurrentCalls ?? null, choice);
    const admission = gate.ask(keyOf(caller), asker, {
      granted: (slot) => void judgeAgain(asked, slot, tell),
      turnedAway: (comeBackAt) => tell(full(caller, comeBackAt, answers)),
    });
    if (admission === 'waiting') return undefined;
    if ('comeBackAt' in admission) return full(caller, admission.comeBackAt, answers);
    return cleared(asked, admission.granted);
  };

  /**
   * Its turn came after a wait: everything is asked anew, for the number may be blocked by now, the account switched
   * off, the campaign paused, the trunk drained: then it waits for another. Where its data cannot be read nothing is
   * dialled.
   */
  const judgeAgain = async (
    asked: Asked,
    slot: Slot,
    tell: (answer: DialClearanceAnswer) => void,
  ): Promise<void> => {
    const { question, caller } = asked;
    const key = keyOf(caller);
    const judgement = await judge(question, caller).catch(() => undefined);
    // The question was withdrawn or asked anew meanwhile: its answer has no receiver, and the slot belongs to another.
    if (!gate.holds(key, slot)) return;
    const confirmed = judgement ? confirm(asked, slot, judgement) : Promise.reject(new Error('unread'));
    const answer = await confirmed.catch(() => unread(now(caller.shard)));
    if (answer && answer.type !== 'cleared' && gate.holds(key, slot)) gate.release(key);
    if (answer) tell(answer);
  };

  const confirm = async (
    asked: Asked,
    slot: Slot,
    judgement: DialRulesResult,
  ): Promise<DialClearanceAnswer | undefined> => {
    const { question, caller, since } = asked;
    const { choice, answers, objection } = withTrunks(question, caller, judgement);
    if (objection) return { ...objection, answers };
    if (choice.candidates.some(({ name }) => name === slot.trunk))
      return cleared({ ...asked, choice, answers, judgement }, slot);
    gate.release(keyOf(caller));
    return decide(question, caller, judgement, since, asked.full);
  };

  /** Nothing where the question was withdrawn, or asked anew, while its caller id was chosen and it was paid for. */
  const cleared = async (asked: Asked, slot: Slot): Promise<DialClearanceAnswer | undefined> => {
    const { since, choice, caller } = asked;
    const shown = await shownCallerId(asked, slot);
    if (!gate.holds(keyOf(caller), slot)) return undefined;
    if (shown && 'until' in shown) return withoutCallerId(asked, slot, shown.until);
    // Last: what is reserved is given back at the end of an attempt, and there is none of a call that waits again.
    const isPaid = await holding(caller, slot, async () => charges?.open(caller) ?? true);
    if (!gate.holds(keyOf(caller), slot)) return undefined;
    if (!isPaid) return unfunded(asked);
    const line = Math.max(0, Math.round(clock.now() - since));
    return {
      ...{ type: 'cleared', route: slot.trunk },
      ...getTrunkFailoverSipStatuses(choice, slot.trunk),
      ...trunkLegTariff(choice, slot.trunk, asked.question.destination),
      ...shown,
      answers: { ...asked.answers, ...shown, line },
    };
  };

  /** What is found out while the slot is held; it is given back where that cannot be read. Undefined: it is another's by now. */
  const holding = async <Found>(
    caller: CallMachineRef,
    slot: Slot,
    find: () => Promise<Found>,
  ): Promise<Found | undefined> => {
    try {
      return await withErrorsAsRetryable(find);
    } catch (error) {
      const key = keyOf(caller);
      if (!gate.holds(key, slot)) return undefined;
      gate.release(key);
      throw error;
    }
  };

  /** That of its pool; undefined: it shows its own. */
  const shownCallerId = async (asked: Asked, slot: Slot): Promise<ShownCallerId | undefined> => {
    const question = callerIdQuestion(asked, slot.trunk, now(asked.caller.shard));
    return question && callerIds && holding(asked.caller, slot, () => callerIds.take(question));
  };

  const unfunded = ({ caller, answers }: Asked): DialClearanceEvent => {
    gate.release(keyOf(caller));
    return insufficientBalanceDialRefusal(caller, answers);
  };

  /** Another trunk may show another one. */
  const withoutCallerId = (
    asked: Asked,
    { trunk }: Slot,
    until: number,
  ): Promise<DialClearanceAnswer | undefined> => {
    const { question, caller, choice, judgement, since, full } = asked;
    gate.release(keyOf(caller));
    return decide(question, caller, judgement, since, addCallerIdsAtHourlyLimit(full, choice, trunk, until));
  };

  const full = (
    { shard }: CallMachineRef,
    comeBackAt: number,
    answers: DialRuleAnswers,
  ): DialClearanceEvent => {
    const until = Math.ceil(now(shard) + comeBackAt - clock.now());
    const detail = `${gate.load().waiting} calls wait for the carrier already`;
    const answered: DialRuleAnswers = { ...answers, line: 'full' };
    return { type: 'postponed', reason: 'capacity', detail, until, answers: answered };
  };

  const withdrawClearance = async ({
    machine,
    params,
  }: EffectCall<DialClearanceEffects['withdrawClearance']>) => {
    if (params.question !== undefined) withdrawn.set(keyOf(machine), params.question);
    gate.release(keyOf(machine));
  };

  const blockNumber = async ({ machine, params }: EffectCall<DialClearanceEffects['blockNumber']>) =>
    withErrorsAsRetryable(() => repository.block(machine, params.number, params.reason));

  const restNumber = async ({ machine, params }: EffectCall<DialClearanceEffects['restNumber']>) =>
    withErrorsAsRetryable(() => repository.rest(machine, params));

  /** On the first trunk that may show one of the pool. */
  const wouldShow = async (
    question: DialClearanceRequest,
    caller: CallMachineRef,
    choice: TrunkCandidates,
  ): Promise<ShownCallerId | undefined> => {
    let full: CallerIdsAtHourlyLimit | undefined;
    for (;;) {
      const trunk = excludeTrunksWithoutFreeCallerId(choice, full).candidates[0]?.name;
      if (trunk === undefined) return full;
      const which = callerIdQuestion({ question, caller, choice }, trunk, now(caller.shard));
      const shown = which && (await withErrorsAsRetryable(async () => callerIds?.wouldTake(which)));
      if (!shown || 'callerId' in shown) return shown;
      full = addCallerIdsAtHourlyLimit(full, choice, trunk, shown.until);
    }
  };

  const wouldClear: DialClearance['wouldClear'] = async (caller, question) => {
    const { choice, answers, objection } = withTrunks(question, caller, await judge(question, caller));
    if (objection || choice.candidates.length === 0) return { answers, objection };
    // In the order of `cleared`: the caller id before the balance.
    const shown = await wouldShow(question, caller, choice);
    if (shown && 'until' in shown) return refusal(callerIdsFull(choice, shown.until, answers));
    const isCovered = !charges || (await withErrorsAsRetryable(() => charges.wouldCover(caller)));
    if (!isCovered) return refusal(insufficientBalanceDialRefusal(caller, answers));
    return { answers: { ...answers, ...shown }, objection: undefined };
  };

  return {
    wouldClear,
    performers: { requestClearance, withdrawClearance, blockNumber, restNumber },
    dialled: (caller, leg, lastsSeconds) => gate.dialled(keyOf(caller), leg, lastsSeconds * 1_000),
    secondLeg: (caller, leg, trunk, lastsSeconds) =>
      gate.takePlace(placeOf(caller, leg), leg, trunk, lastsSeconds * 1_000),
    release: (caller, leg) => {
      gate.release(keyOf(caller), leg);
      if (leg !== undefined) gate.release(placeOf(caller, leg));
    },
    stop: () => gate.stop(),
    load: () => gate.load(),
    usageOf: (trunk) => gate.usageOf(trunk),
    adopted: (caller, leg, trunk, isSecond) =>
      gate.adopt(isSecond ? placeOf(caller, leg) : keyOf(caller), leg, trunk),
  };
};

/** What would be answered, where that is a "no". */
const refusal = (objection: DialClearanceEvent) => ({ answers: objection.answers ?? {}, objection });

/** A question that no rule speaks against. */
interface Asked {
  question: DialClearanceRequest;
  caller: CallMachineRef;
  /** When it began to wait, by the clock. */
  since: number;
  choice: TrunkCandidates;
  answers: DialRuleAnswers;
  judgement: DialRulesResult;
  /** Caller ids that it could not show on a trunk that it was granted before. */
  full?: CallerIdsAtHourlyLimit;
}

const unread = (now: number): DialClearanceEvent => ({
  type: 'postponed',
  reason: 'capacity',
  detail: 'the data of call admission cannot be read',
  until: now + UNREAD_MS,
});

const keyOf = ({ shard, account, id }: CallMachineRef): string => `${shard}.${account}.${id}`;
/** Of a second leg. */
const placeOf = (caller: CallMachineRef, leg: number): string => `${keyOf(caller)} ${leg}`;
const nameOf = ({ shard, account, id }: CallMachineRef): CallMachineRef => ({ shard, account, id });
