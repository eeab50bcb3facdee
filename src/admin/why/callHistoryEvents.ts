/** What happened to a number: each dial and each "no" of its calls, with what the rules answered then. */
import type { DialRuleAnswers } from '../../../machines/contracts/clearance.ts';
import type { CallInNumberHistory, Step } from '../../store/reads/why/callsToNumber.ts';
import { writeCallId } from '../../wire/callId.ts';
import { describeCallEndReason } from '../explained/callEndReasons.ts';
import { callOutcomeSentence } from '../callOutcomeSentence.ts';
import type { DescribeCalledNumberOrigin } from './numberOrigin.ts';
import {
  parseDialRuleAnswers,
  type DialRuleAnswerLine,
  toRuleAnswerLines,
} from './formatRecordedRuleAnswers.ts';
import { ruleDisplayName, type AccountLocalizer, ruleExplanationText } from './told.ts';

export interface DialJustification {
  at: number;
  /** Where the number came from. */
  origin: string;
  /** Empty: what the rules answered was not written down. */
  rules: DialRuleAnswerLine[];
  /** All of it, to be copied. */
  text: string;
}

export interface NumberHistoryEvent {
  what: 'called' | 'notCalled' | 'postponed' | 'waiting' | 'leftOut';
  at: number;
  account: number;
  /** Its machine. */
  call: string | null;
  campaign: { id: number; name: string } | null;
  rule: string;
  /** The rule in words; of a call: how it ended. */
  ruleName: string;
  sentence: string;
  /** When it is asked again. */
  until: number | null;
  /** The same was answered so many times in a row. */
  times: number;
  statement: DialJustification | null;
}

interface Payload {
  reason?: string;
  detail?: string;
  until?: number;
}

interface Attempt {
  attempt: number;
  status: string;
  reason: string;
  cause: number;
  sipStatus: number;
}

interface Told {
  call: CallInNumberHistory;
  shard: string;
  teller: AccountLocalizer;
  origins: DescribeCalledNumberOrigin;
}

/** Of one call, in the order in which it happened. */
export const callHistoryEvents = (told: Told, steps: readonly Step[]): NumberHistoryEvent[] => {
  const dials = steps.filter(isDial).length;
  let attempt = Math.max(0, told.call.attempt - dials);
  return joined(
    steps.flatMap((step) => {
      if (isDial(step)) attempt += 1;
      return saidBy(told, step, attempt) ?? [];
    }),
  );
};

const isDial = (step: Step): boolean =>
  step.event === 'cleared' && step.state.startsWith('dialing') && !isAnotherTrunk(step);

/** The same attempt was refused by a trunk and asked for another: no attempt of its own. */
const isAnotherTrunk = ({ payload }: Step): boolean =>
  ((payload ?? {}) as { answers?: DialRuleAnswers }).answers?.tried !== undefined;

const saidBy = (told: Told, step: Step, attempt: number): NumberHistoryEvent | undefined => {
  if (isDial(step)) return dialled(told, step, attempt);
  if (isAnotherTrunk(step)) return undefined;
  const { event } = step;
  const { reason = '', detail = '', until } = (step.payload ?? {}) as Payload;
  const { words } = told.teller;
  switch (event) {
    case 'refused':
      return notNow(told, step, { rule: reason, detail, what: 'notCalled' });
    case 'postponed':
      return notNow(told, step, { rule: reason, detail, until });
    case 'attemptDeferred':
      // The pace is no reason of its own: it only says how fast the others come before it.
      return reason === 'pace' ? undefined : notNow(told, step, { rule: reason, detail, until });
    case 'claimRefused':
      return notNow(told, step, { rule: 'busyNumber', detail: '', why: words.busyNumber });
    case 'attemptRevoked':
      return notNow(told, step, { rule: 'paused', detail: '', why: words.paused });
    case 'requestClearanceFailed':
      return notNow(told, step, { rule: 'capacity', detail: '', why: words.notCleared });
    case 'campaignOver':
      return notNow(told, step, { rule: reason, detail: '', what: 'notCalled' });
    default:
      return undefined;
  }
};

interface No {
  rule: string;
  detail: string;
  /** In words; absent: as the rule and its detail say. */
  why?: string;
  until?: number | undefined;
  what?: 'notCalled' | 'postponed';
}

const notNow = (told: Told, step: Step, no: No): NumberHistoryEvent => {
  const { teller } = told;
  const { rule, detail, until, what = 'postponed' } = no;
  const why = no.why ?? ruleExplanationText(teller, { rule, detail });
  const sentence =
    what === 'notCalled'
      ? step.event === 'campaignOver' && told.call.attempt > 0
        ? teller.words.over(why)
        : teller.words.notCalled(why)
      : until === undefined
        ? teller.words.askedAgain(why)
        : teller.words.postponed(why, teller.when(until));
  return {
    ...ofCall(told, step),
    ...{ what, rule, ruleName: ruleDisplayName(teller, rule), sentence, until: until ?? null },
    statement: statementOf(told, step, { attempt: told.call.attempt + 1, rule, detail }),
  };
};

const dialled = (told: Told, step: Step, attempt: number): NumberHistoryEvent => {
  const { call, teller } = told;
  const outcome = outcomeOf(call, attempt, teller);
  const called =
    call.campaign_id === 0
      ? teller.words.calledSingle(attempt)
      : teller.words.called(call.campaign ?? String(call.campaign_id), attempt);
  return {
    ...ofCall(told, step),
    ...{ what: 'called', rule: outcome.reason, ruleName: outcome.name, until: null },
    sentence: [called, outcome.sentence].filter(Boolean).join(' '),
    statement: statementOf(told, step, { attempt, rule: '', detail: '' }),
  };
};

const ofCall = ({ call, shard }: Told, step: Step) => ({
  at: step.at,
  account: call.account_id,
  call: writeCallId(shard, call.id),
  campaign:
    call.campaign_id === 0 ? null : { id: call.campaign_id, name: call.campaign ?? String(call.campaign_id) },
  times: 1,
});

/** How an attempt ended, from the record: of those before the last one it keeps a list. */
const outcomeOf = (call: CallInNumberHistory, attempt: number, teller: AccountLocalizer) => {
  const before = attemptsIn(call.attempts).find((one) => one.attempt === attempt);
  const last = {
    status: call.status,
    reason: call.reason,
    cause: call.hangup_cause,
    sipStatus: call.sip_status,
  };
  const ended = before ?? (attempt === call.attempt ? last : undefined);
  if (!ended || ended.status === '') return { reason: '', name: '', sentence: '' };
  const { status, reason, cause, sipStatus } = ended;
  const record = { status, reason, attempt, hangup_cause: cause, sip_status: sipStatus };
  const sentence = callOutcomeSentence(record, teller.language) ?? '';
  return {
    reason,
    name: reason === '' ? status : describeCallEndReason(reason).says[teller.language],
    sentence,
  };
};

const attemptsIn = (json: string): Attempt[] => {
  try {
    const read: unknown = JSON.parse(json);
    return Array.isArray(read) ? (read as Attempt[]) : [];
  } catch {
    return [];
  }
};

const statementOf = (
  { call, teller, origins }: Told,
  step: Step,
  { attempt, rule, detail }: { attempt: number; rule: string; detail: string },
): DialJustification | null => {
  const answers = parseDialRuleAnswers(step.payload);
  if (!answers && !isDial(step)) return null;
  const asked = { ofCampaign: call.campaign_id !== 0, attempt, dialled: isDial(step), rule, detail };
  const rules = answers ? toRuleAnswerLines(answers, asked, teller.language) : [];
  const origin = origins(call, teller);
  const at = step.at;
  return { at, origin, rules, text: textOf(call, teller, { at, origin, rules }) };
};

const textOf = (
  { destination }: CallInNumberHistory,
  { words, account, when }: AccountLocalizer,
  { at, origin, rules }: Omit<DialJustification, 'text'>,
): string =>
  [
    words.copied(destination, account.name),
    origin,
    words.asked(`${when(at)}.${String(at % 1000).padStart(3, '0')} ${account.time_zone}`),
    ...rules.map(({ title, says }) => `- ${title}: ${says}`),
    rules.length > 0 ? words.written : words.unwritten,
  ].join('\n');

/** What was said several times in a row is told once, as it was said last. */
const joined = (all: readonly NumberHistoryEvent[]): NumberHistoryEvent[] => {
  const told: NumberHistoryEvent[] = [];
  for (const one of all) {
    const before = told.at(-1);
    const isSame = before?.what === 'postponed' && one.what === 'postponed' && before.rule === one.rule;
    if (isSame) told[told.length - 1] = { ...one, times: before.times + 1 };
    else told.push(one);
  }
  return told;
};
