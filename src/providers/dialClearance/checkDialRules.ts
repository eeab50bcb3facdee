/**
 * The rules that are asked before every attempt, in their order: account, campaign, block lists, the callee's wish, limits,
 * window. The first "no" is the answer, and those behind it are not asked. What each of them said goes with the answer.
 */
import type {
  DialClearanceEffects,
  DialClearanceEvent,
  DialRuleAnswers,
} from '../../../machines/contracts/clearance.ts';
import { withTtlCache } from '../../lib/withTtlCache.ts';
import { formatTenThousandths } from '../../rules/accounts/pricing.ts';
import { isNumberPrefixClosed } from '../../rules/trunks/whyTrunkExcluded.ts';
import {
  shortNumberRestReason,
  summarizeCallingHoursForNumber,
} from '../../rules/voice/summarizeDialRuleAnswers.ts';
import {
  type CallingWindows,
  parseCallingWindows,
  callingWindowAt,
} from '../../rules/voice/callingWindows.ts';
import { Retryable } from '../../engine/contract/performer.ts';
import type {
  AccountCallRules,
  CallMachineRef,
  DialClearanceRepository,
  ClockWithTimers,
} from '../contracts/dialClearance.ts';

/** Changes to an account's flag and windows may go unnoticed this long. */
const BELIEVED_MS = 3000;

/**
 * Cache time of a campaign's pause. The campaign tells its calls when it is paused; reading its record here bounds the
 * delay when those events are late.
 */
const PAUSE_BELIEVED_MS = 250;

/** A campaign's calls of an account that is switched off ask again after this long. */
const INACTIVE_MS = 60_000;

/** Calls of an account that has spent its day's limit ask again after this long: it may be raised. */
const SPENT_MS = 300_000;

const HOME_ZONE = 'America/Sao_Paulo';

/** `numlim` and `audiolim` look back this far (decisions: numlim, audiolim). */
const LIMIT_DAYS = 30;
const LIMIT_MS = LIMIT_DAYS * 86_400_000;

export type DialClearanceRequest = DialClearanceEffects['requestClearance'];
/** `attemptRevoked`: the grant is void, and the call asks its campaign anew. */
export type DialClearanceAnswer = DialClearanceEvent | { type: 'attemptRevoked'; answers?: DialRuleAnswers };

export interface DialRulesResult {
  /** Absent: nothing speaks against the attempt, capacity apart. */
  objection: DialClearanceAnswer | undefined;
  /** What the rules said that were asked. */
  answers: DialRuleAnswers;
  /** Of the account; absent where there is an objection before it was read. */
  concurrentCalls?: number | null;
}

/** Throws `Retryable` when its data cannot be read. */
export type CheckDialRules = (
  question: DialClearanceRequest,
  caller: CallMachineRef,
) => Promise<DialRulesResult>;

interface JudgeOptions {
  repository: DialClearanceRepository;
  clock: Pick<ClockWithTimers, 'now'>;
  /** The time of a shard, epoch milliseconds. */
  now(shard: string): number;
  /** What the calls of an account cost today, ten-thousandths of the currency. Default: nothing. */
  spentToday?(account: number, zone: string): number;
}

/** What an account says of what its calls may cost. */
export type AccountTollFraudRules = Pick<AccountCallRules, 'closedPrefixes' | 'spendPerDay' | 'zone'>;

interface Asked {
  question: DialClearanceRequest;
  caller: CallMachineRef;
  /** The time of the shard. */
  at: number;
  windows: CallingWindows;
}

interface Said {
  answers: DialRuleAnswers;
  objection?: DialClearanceAnswer | undefined;
}

type Rule = (asked: Asked) => Promise<Said> | Said;

const silent: Said = { answers: {} };

export const openDialRulesCheck = ({
  repository,
  clock,
  now,
  spentToday = () => 0,
}: JudgeOptions): CheckDialRules => {
  const accountOf = withTtlCache((caller: CallMachineRef) => repository.account(caller), {
    keyOf: ({ account }) => account,
    now: () => clock.now(),
    forMs: BELIEVED_MS,
  });
  const pausedOf = withTtlCache(
    ({ caller, campaign }: { caller: CallMachineRef; campaign: number }) =>
      repository.campaignPaused(caller, campaign),
    {
      keyOf: ({ caller: { shard, account }, campaign }) => `${shard} ${account} ${campaign}`,
      now: () => clock.now(),
      forMs: PAUSE_BELIEVED_MS,
    },
  );

  const paused: Rule = async ({ question: { campaign }, caller }) => {
    if (campaign === undefined) return silent;
    return (await pausedOf({ caller, campaign }))
      ? { answers: { campaign: 'paused' }, objection: { type: 'attemptRevoked' } }
      : { answers: { campaign: 'active' } };
  };

  const rules: readonly Rule[] = [
    paused,
    listed(repository),
    resting(repository),
    ...limits(repository),
    closed,
  ];

  return async (question, caller) => {
    const account = await withErrorsAsRetryable(() => accountOf(caller));
    const answers: DialRuleAnswers = { account: account?.active ? 'active' : 'off' };
    if (!account?.active) {
      const objection = notActive(question, caller, now(caller.shard), account !== undefined);
      return { objection, answers };
    }
    const { concurrentCalls } = account;
    const tolled = prefixOrDayLimitObjection(question, caller, {
      account,
      at: now(caller.shard),
      spentToday,
    });
    if (tolled) return { ...tolled, concurrentCalls };
    const asked = {
      question,
      caller,
      at: now(caller.shard),
      windows: parseCallingWindows(account.callingWindows),
    };
    for (const rule of rules) {
      const said = await withErrorsAsRetryable(() => rule(asked));
      Object.assign(answers, said.answers);
      if (said.objection) return { objection: said.objection, answers, concurrentCalls };
    }
    return { objection: undefined, answers, concurrentCalls };
  };
};

/** A campaign waits until its account is switched on again: its destinations are not to be used up meanwhile. */
const notActive = (
  { campaign }: DialClearanceRequest,
  { account }: CallMachineRef,
  at: number,
  exists: boolean,
): DialClearanceEvent => {
  const detail = `account ${account} is not active`;
  if (!exists || campaign === undefined) return refused('account', detail);
  return { type: 'postponed', reason: 'account', detail, until: at + INACTIVE_MS };
};

/**
 * Premium and foreign numbers are closed to many accounts, and a stolen token spends no more than a day's limit. Undefined:
 * neither speaks against the attempt.
 */
export const prefixOrDayLimitObjection = (
  { destination }: Pick<DialClearanceRequest, 'destination'>,
  { account: id }: Pick<CallMachineRef, 'account'>,
  {
    account: { closedPrefixes, spendPerDay = null, zone = HOME_ZONE },
    at,
    spentToday,
  }: { account: AccountTollFraudRules; at: number; spentToday: NonNullable<JudgeOptions['spentToday']> },
): { objection: DialClearanceEvent; answers: DialRuleAnswers } | undefined => {
  if (closedPrefixes && isNumberPrefixClosed({ closedPrefixes }, destination))
    return {
      objection: refused('closedPrefix', `account ${id} calls no numbers like ${destination}`),
      answers: { account: 'closed' },
    };
  const spent = spentToday(id, zone);
  if (spendPerDay === null || spent < spendPerDay) return undefined;
  const [cost, limit] = [spent, spendPerDay].map((units) => formatTenThousandths(BigInt(units)));
  const detail = `the calls of account ${id} cost ${cost} today, and its limit of a day is ${limit}`;
  const objection: DialClearanceEvent = {
    type: 'postponed',
    reason: 'dayLimit',
    detail,
    until: at + SPENT_MS,
  };
  return { objection, answers: { account: 'spent' } };
};

const listed =
  (repository: DialClearanceRepository): Rule =>
  async ({ question, caller }) => {
    if (question.skipBlocklist) return { answers: { list: 'passed' } };
    const entry = await repository.blocked(caller, question.destination);
    if (!entry) return { answers: { list: 'none' } };
    const list = entry.list === 'global' ? 'the global block list' : "the account's block list";
    const detail = `${question.destination} is on ${list}${entry.reason && `: ${entry.reason}`}`;
    return { answers: { list: entry.list }, objection: refused('blocklist', detail) };
  };

/** `free` passes block lists, not the wish of a callee. */
const resting =
  (repository: DialClearanceRepository): Rule =>
  async ({ question: { restScope: scope, destination }, caller }) => {
    if (scope === undefined) return silent;
    const reason = await repository.rested(caller, { number: destination, scope });
    const answers = shortNumberRestReason(reason);
    if (reason === undefined) return { answers };
    const who = reason === 'rejected' ? "the callee's network took one for spam" : 'the callee wants none';
    return {
      answers,
      objection: refused('rested', `${destination} rests for calls of this campaign: ${who}`),
    };
  };

const limits = (repository: DialClearanceRepository): Rule[] => {
  const counted = async ({ question, caller, at }: Asked, limit: number, audioKey?: string) => {
    const { customerCampaign, destination: number } = question;
    const query = { customerCampaign, number, since: at - LIMIT_MS, enough: limit };
    return repository.callsBefore(caller, { ...query, ...(audioKey !== undefined && { audioKey }) });
  };
  const over = ({ destination, customerCampaign }: DialClearanceRequest, limit: number) =>
    `${destination} has had its ${limit} calls of campaign ${customerCampaign} in ${LIMIT_DAYS} days`;
  return [
    async (asked) => {
      const { question } = asked;
      const { numberLimit: limit, customerCampaign } = question;
      if (customerCampaign === '' || limit === undefined) return silent;
      const count = await counted(asked, limit);
      const objection = count >= limit ? refused('numlim', over(question, limit)) : undefined;
      return { answers: { calls: [count, limit] }, objection };
    },
    async (asked) => {
      const { question } = asked;
      const { audioLimit: limit, customerCampaign, audioKey } = question;
      if (customerCampaign === '' || limit === undefined) return silent;
      const count = await counted(asked, limit, audioKey);
      const detail = `${over(question, limit)} with the same audio`;
      const objection = count >= limit ? refused('audiolim', detail) : undefined;
      return { answers: { audio: [count, limit] }, objection };
    },
  ];
};

/** A campaign keeps the hours itself, and what they are is written with its calls all the same. */
const closed: Rule = ({ question, at, windows }) => {
  if (!question.waitForWindow && question.campaign === undefined) return silent;
  const answers = summarizeCallingHoursForNumber(question.destination, at, windows);
  if (!question.waitForWindow) return { answers };
  const answer = callingWindowAt(question.destination, at, windows);
  if (answer.open) return { answers };
  const { reason, detail, until } = answer;
  return { answers, objection: { type: 'postponed', reason, detail, until } };
};

const refused = (
  reason: Extract<DialClearanceEvent, { type: 'refused' }>['reason'],
  detail: string,
): DialClearanceEvent => ({ type: 'refused', reason, detail });

/** Whatever is thrown is tried again. */
export const withErrorsAsRetryable = async <Read>(read: () => Promise<Read> | Read): Promise<Read> => {
  try {
    return await read();
  } catch (cause) {
    throw new Retryable('the data of call admission cannot be read', { cause });
  }
};
