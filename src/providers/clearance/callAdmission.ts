/**
 * The desk that clears every attempt: account, block lists, limits, window, capacity; the first "no" is the answer. A
 * call that had to wait for capacity is judged again when its turn comes.
 */
import type { ClearanceEffects, ClearanceEvent, DialAnswers } from '../../../machines/contracts/clearance.ts';
import type { Caller, Clearance, ClearanceBooks, Clock } from '../clearance.ts';
import type { EffectCall, Performed, Report } from '../../engine/contract/performer.ts';
import { CapacityLimiter } from './capacityLimiter.ts';
import type { Asker, Capacity, Slot } from './capacityLimiter.ts';
import { type Answer, type Judgement, openJudge, type Question, reading } from './judge.ts';

export interface CallAdmissionOptions {
  books: ClearanceBooks;
  /** What the carrier bears; `route` is written on the record. */
  profile: Capacity & { route: string };
  report: Report;
  clock: Clock;
  /** The time of a shard, epoch milliseconds: calls compare with it what they are told. Default: `clock`'s. */
  now?(shard: string): number;
  /** How many questions may wait for capacity, of all accounts. Default 50,000. */
  waiting?: number;
  /** A slot whose end is never reported is free again after this long, milliseconds. Default one hour. */
  heldMs?: number;
}

/** A call whose turn came while the books could not be read asks again after this long. */
const UNREAD_MS = 5_000;

/** What tells an answer from those to other questions of the same call. */
const questionOf = ({ question }: Question): { question?: number } =>
  question === undefined ? {} : { question };

/** Opens a desk for this process. Performers throw `Retryable` when the books cannot be read. */
export const openCallAdmission = (options: CallAdmissionOptions): Clearance => {
  const { books, profile, report, clock, now = () => clock.now(), ...gateOptions } = options;
  const judge = openJudge({ books, clock, now });
  const gate = new CapacityLimiter({ capacity: profile, clock, ...gateOptions });

  const requestClearance = async (call: EffectCall<Question>): Promise<Performed | void> => {
    const answer = await answerTo(call);
    return answer && { events: [{ ...answer, ...questionOf(call.params) }] };
  };

  /** The first "no", a yes, or nothing when it comes later. */
  const answerTo = async ({ machine, params }: EffectCall<Question>): Promise<Answer | undefined> => {
    const judgement = await judge(params, machine);
    return objectionOf(judgement) ?? askForCapacity(params, machine, judgement);
  };

  /** The answer, or nothing when it comes later. */
  const askForCapacity = (
    question: Question,
    caller: Caller,
    { answers, concurrentCalls }: Judgement,
  ): ClearanceEvent | undefined => {
    const asked = { question, caller, since: clock.now() };
    const tell = (answer: Answer): void => report(nameOf(caller), { ...answer, ...questionOf(question) });
    const answer = gate.ask(keyOf(caller), askerOf(question, caller, concurrentCalls ?? null), {
      granted: (slot) => void judgeAgain(asked, slot, tell),
      turnedAway: (comeBackAt) => tell(full(caller, comeBackAt, answers)),
    });
    if (answer === 'granted') return cleared(answers, 0);
    return answer === 'waiting' ? undefined : full(caller, answer.comeBackAt, answers);
  };

  /**
   * Its turn came after a wait: everything is asked anew, for the number may be blocked by now, the account switched
   * off, the campaign paused. Where the books cannot be read nothing is dialled.
   */
  const judgeAgain = async (
    { question, caller, since }: { question: Question; caller: Caller; since: number },
    slot: Slot,
    tell: (answer: Answer) => void,
  ): Promise<void> => {
    const key = keyOf(caller);
    const answer = await judge(question, caller).then(
      (judgement) => objectionOf(judgement) ?? cleared(judgement.answers, clock.now() - since),
      () => unread(now(caller.shard)),
    );
    // The question was withdrawn or asked anew meanwhile: its answer has no receiver, and the slot belongs to another.
    if (!gate.holds(key, slot)) return;
    if (answer.type !== 'cleared') gate.release(key);
    tell(answer);
  };

  const cleared = (answers: DialAnswers, waitedMs: number): ClearanceEvent => ({
    type: 'cleared',
    route: profile.route,
    answers: { ...answers, line: Math.max(0, Math.round(waitedMs)) },
  });

  const full = ({ shard }: Caller, comeBackAt: number, answers: DialAnswers): ClearanceEvent => {
    const until = Math.ceil(now(shard) + comeBackAt - clock.now());
    const detail = `${gate.load().waiting} calls wait for the carrier already`;
    const answered: DialAnswers = { ...answers, line: 'full' };
    return { type: 'postponed', reason: 'capacity', detail, until, answers: answered };
  };

  const withdrawClearance = async ({ machine }: EffectCall<ClearanceEffects['withdrawClearance']>) =>
    gate.release(keyOf(machine));

  const blockNumber = async ({ machine, params }: EffectCall<ClearanceEffects['blockNumber']>) =>
    reading(() => books.block(machine, params.number, params.reason));

  const restNumber = async ({ machine, params }: EffectCall<ClearanceEffects['restNumber']>) =>
    reading(() => books.rest(machine, params));

  return {
    wouldClear: (caller, question) => judge(question, caller),
    performers: { requestClearance, withdrawClearance, blockNumber, restNumber },
    dialled: (caller, leg) => gate.dialled(keyOf(caller), leg),
    release: (caller, leg) => gate.release(keyOf(caller), leg),
    stop: () => gate.stop(),
    load: () => gate.load(),
  };
};

/** The "no" of a rule, with what it and those before it said. */
const objectionOf = ({ objection, answers }: Judgement): Answer | undefined =>
  objection && { ...objection, answers };

const unread = (now: number): ClearanceEvent => ({
  type: 'postponed',
  reason: 'capacity',
  detail: 'the books of the clearance desk cannot be read',
  until: now + UNREAD_MS,
});

/** Accounts take turns. An account's single calls are one lane, each campaign another; the account's own limit counts for campaigns. */
const askerOf = (
  { priority, campaign }: Question,
  { shard, account }: Caller,
  concurrentCalls: number | null,
): Asker => {
  const owner = `${shard}.${account}`;
  if (campaign === undefined) return { account: owner, priority, lane: owner };
  const lane = `${owner}.${campaign}`;
  const share = concurrentCalls !== null && { share: { owner, slots: concurrentCalls } };
  return { account: owner, priority, lane, ...share };
};

const keyOf = ({ shard, account, id }: Caller): string => `${shard}.${account}.${id}`;
const nameOf = ({ shard, account, id }: Caller): Caller => ({ shard, account, id });
