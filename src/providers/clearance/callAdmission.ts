/**
 * The desk that clears every attempt: account, block lists, limits, window, capacity; the first "no" is the answer. A
 * call that had to wait for capacity is judged again when its turn comes.
 */
import type { ClearanceEffects, ClearanceEvent } from '../../../machines/contracts/clearance.ts';
import { cacheFor } from '../../lib/cacheFor.ts';
import { readWindows, windowAt } from '../../rules/voice/windows.ts';
import type { CallingWindows } from '../../rules/voice/windows.ts';
import type { Caller, Clearance, ClearanceBooks, Clock } from '../clearance.ts';
import { Retryable } from '../../engine/contract/performer.ts';
import type { EffectCall, Performed, Report } from '../../engine/contract/performer.ts';
import { CapacityLimiter } from './capacityLimiter.ts';
import type { Asker, Capacity, Slot } from './capacityLimiter.ts';

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

/** Changes to an account's flag and windows may go unnoticed this long. */
const BELIEVED_MS = 3000;

/**
 * Cache time of a campaign's pause. The campaign tells its calls when it is paused; reading its record here bounds the
 * delay when those events are late.
 */
const PAUSE_BELIEVED_MS = 250;

/** A campaign's calls of an account that is switched off ask again after this long. */
const INACTIVE_MS = 60_000;

/** A call whose turn came while the books could not be read asks again after this long. */
const UNREAD_MS = 5_000;

/** The grant is void: the call asks its campaign anew. */
const REVOKED = { type: 'attemptRevoked' } as const;

type Question = ClearanceEffects['requestClearance'];
type Answer = ClearanceEvent | typeof REVOKED;

interface Judgement {
  objection: Answer | undefined;
  /** Of the account; absent where there is an objection before it was read. */
  concurrentCalls?: number | null;
}

/** What tells an answer from those to other questions of the same call. */
const questionOf = ({ question }: Question): { question?: number } =>
  question === undefined ? {} : { question };

/** `numlim` and `audiolim` look back this far (decisions: numlim, audiolim). */
const LIMIT_DAYS = 30;
const LIMIT_MS = LIMIT_DAYS * 86_400_000;

/** Opens a desk for this process. Performers throw `Retryable` when the books cannot be read. */
export const openCallAdmission = (options: CallAdmissionOptions): Clearance => {
  const { books, profile, report, clock, now = () => clock.now(), ...gateOptions } = options;
  const accountOf = cacheFor((caller: Caller) => books.account(caller), {
    keyOf: ({ account }) => account,
    now: () => clock.now(),
    forMs: BELIEVED_MS,
  });
  const pausedOf = cacheFor(
    ({ caller, campaign }: { caller: Caller; campaign: number }) => books.campaignPaused(caller, campaign),
    {
      keyOf: ({ caller: { shard, account }, campaign }) => `${shard} ${account} ${campaign}`,
      now: () => clock.now(),
      forMs: PAUSE_BELIEVED_MS,
    },
  );
  const isPaused = async ({ campaign }: Question, caller: Caller): Promise<boolean> =>
    campaign !== undefined && (await pausedOf({ caller, campaign }));
  const gate = new CapacityLimiter({ capacity: profile, clock, ...gateOptions });
  const cleared: ClearanceEvent = { type: 'cleared', route: profile.route };

  const requestClearance = async (call: EffectCall<Question>): Promise<Performed | void> => {
    const answer = await answerTo(call);
    return answer && { events: [{ ...answer, ...questionOf(call.params) }] };
  };

  /** The first "no", a yes, or nothing when it comes later. */
  const answerTo = async ({ machine, params }: EffectCall<Question>): Promise<Answer | undefined> => {
    const { objection, concurrentCalls } = await judge(params, machine);
    return objection ?? askForCapacity(params, machine, concurrentCalls);
  };

  /** Everything that may speak against an attempt, capacity apart. */
  const judge = async (question: Question, caller: Caller): Promise<Judgement> => {
    const account = await reading(() => accountOf(caller));
    if (!account?.active) return { objection: notActive(question, caller, account !== undefined) };
    if (await reading(() => isPaused(question, caller))) return { objection: REVOKED };
    const objection = await reading(() => objectionTo(question, caller, books, now(caller.shard)));
    const windows = readWindows(account.callingWindows);
    return {
      objection: objection ?? closedNow(question, caller, windows),
      concurrentCalls: account.concurrentCalls,
    };
  };

  /** A campaign waits until its account is switched on again: its destinations are not to be used up meanwhile. */
  const notActive = (question: Question, { shard, account }: Caller, exists: boolean): ClearanceEvent => {
    const detail = `account ${account} is not active`;
    if (!exists || question.campaign === undefined) return refused('account', detail);
    return { type: 'postponed', reason: 'account', detail, until: now(shard) + INACTIVE_MS };
  };

  const closedNow = (
    question: Question,
    { shard }: Caller,
    windows: CallingWindows,
  ): ClearanceEvent | undefined => {
    if (!question.waitForWindow) return undefined;
    const answer = windowAt(question.destination, now(shard), windows);
    if (answer.open) return undefined;
    return { type: 'postponed', reason: answer.reason, detail: answer.detail, until: answer.until };
  };

  /** The answer, or nothing when it comes later. */
  const askForCapacity = (
    question: Question,
    caller: Caller,
    concurrentCalls: number | null | undefined,
  ): ClearanceEvent | undefined => {
    const tell = (answer: Answer): void => report(nameOf(caller), { ...answer, ...questionOf(question) });
    const answer = gate.ask(keyOf(caller), askerOf(question, caller, concurrentCalls ?? null), {
      granted: (slot) => void judgeAgain(question, caller, slot, tell),
      turnedAway: (comeBackAt) => tell(full(caller, comeBackAt)),
    });
    if (answer === 'granted') return cleared;
    return answer === 'waiting' ? undefined : full(caller, answer.comeBackAt);
  };

  /**
   * Its turn came after a wait: everything is asked anew, for the number may be blocked by now, the account switched
   * off, the campaign paused. Where the books cannot be read nothing is dialled.
   */
  const judgeAgain = async (
    question: Question,
    caller: Caller,
    slot: Slot,
    tell: (answer: Answer) => void,
  ): Promise<void> => {
    const key = keyOf(caller);
    const objection = await judge(question, caller).then(
      (judgement) => judgement.objection,
      () => unread(now(caller.shard)),
    );
    // The question was withdrawn or asked anew meanwhile: its answer has no receiver, and the slot belongs to another.
    if (!gate.holds(key, slot)) return;
    if (objection) gate.release(key);
    tell(objection ?? cleared);
  };

  const full = ({ shard }: Caller, comeBackAt: number): ClearanceEvent => {
    const until = Math.ceil(now(shard) + comeBackAt - clock.now());
    const detail = `${gate.load().waiting} calls wait for the carrier already`;
    return { type: 'postponed', reason: 'capacity', detail, until };
  };

  const withdrawClearance = async ({ machine }: EffectCall<ClearanceEffects['withdrawClearance']>) =>
    gate.release(keyOf(machine));

  const blockNumber = async ({ machine, params }: EffectCall<ClearanceEffects['blockNumber']>) =>
    reading(() => books.block(machine, params.number, params.reason));

  const restNumber = async ({ machine, params }: EffectCall<ClearanceEffects['restNumber']>) =>
    reading(() => books.rest(machine, params));

  return {
    performers: { requestClearance, withdrawClearance, blockNumber, restNumber },
    dialled: (caller, leg) => gate.dialled(keyOf(caller), leg),
    release: (caller, leg) => gate.release(keyOf(caller), leg),
    stop: () => gate.stop(),
    load: () => gate.load(),
  };
};

const objectionTo = async (
  question: Question,
  caller: Caller,
  books: ClearanceBooks,
  at: number,
): Promise<ClearanceEvent | undefined> =>
  (await listed(question, caller, books)) ??
  (await resting(question, caller, books)) ??
  (await limited(question, caller, books, at));

/** `free` passes block lists, not the wish of a callee. */
const resting = async (
  { restScope: scope, destination }: Question,
  caller: Caller,
  books: ClearanceBooks,
) => {
  if (scope === undefined) return undefined;
  const reason = await books.rested(caller, { number: destination, scope });
  if (reason === undefined) return undefined;
  const who = reason === 'rejected' ? "the callee's network took one for spam" : 'the callee wants none';
  return refused('rested', `${destination} rests for calls of this campaign: ${who}`);
};

const listed = async (question: Question, caller: Caller, books: ClearanceBooks) => {
  if (question.skipBlocklist) return undefined;
  const entry = await books.blocked(caller, question.destination);
  if (!entry) return undefined;
  const list = entry.list === 'global' ? 'the global block list' : "the account's block list";
  return refused('blocklist', `${question.destination} is on ${list}${entry.reason && `: ${entry.reason}`}`);
};

const limited = async (question: Question, caller: Caller, books: ClearanceBooks, at: number) => {
  const { customerCampaign, destination: number, numberLimit, audioLimit, audioKey } = question;
  if (customerCampaign === '') return undefined;
  const common = { customerCampaign, number, since: at - LIMIT_MS };
  const reached = async (limit: number, query: { audioKey?: string }) =>
    (await books.callsBefore(caller, { ...common, ...query, enough: limit })) >= limit;
  const over = (limit: number) =>
    `${number} has had its ${limit} calls of campaign ${customerCampaign} in ${LIMIT_DAYS} days`;
  if (numberLimit !== undefined && (await reached(numberLimit, {}))) {
    return refused('numlim', over(numberLimit));
  }
  if (audioLimit !== undefined && (await reached(audioLimit, { audioKey }))) {
    return refused('audiolim', `${over(audioLimit)} with the same audio`);
  }
  return undefined;
};

const unread = (now: number): ClearanceEvent => ({
  type: 'postponed',
  reason: 'capacity',
  detail: 'the books of the clearance desk cannot be read',
  until: now + UNREAD_MS,
});

const refused = (
  reason: Extract<ClearanceEvent, { type: 'refused' }>['reason'],
  detail: string,
): ClearanceEvent => ({ type: 'refused', reason, detail });

const reading = async <Answer>(read: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await read();
  } catch (cause) {
    throw new Retryable('the books of the clearance desk cannot be read', { cause });
  }
};

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
