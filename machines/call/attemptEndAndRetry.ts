/** How an attempt ended, and whether another follows (decisions "cd_status", "repeat"). */
import {
  legOutcomeRuleByReason,
  legOutcomeRules,
  type LegOutcome,
} from '../contracts/legOutcomeBySipAndCause.ts';
import { priceOfTalk } from '../contracts/price.ts';
import { captureDigitResponse } from './interpretDtmfDigits.ts';
import {
  addCallExplanation,
  updateDialContext,
  updateIvrState,
  callEventTime,
  type CallContext,
  type LastAttemptOutcomeCode,
  type CallActionArgs,
} from './context.ts';
import type { CallMachineEvent } from './events.ts';
import { dialAttemptsAllowed, isNextNumberOfSameRound, lastDialledNumber } from './numbers.ts';

const RETRIED: readonly LastAttemptOutcomeCode[] = ['BUSY', 'NOANSWER', 'CONGESTION', 'CHANUNAVAIL'];

/** Another node may doubt a silent one for this long; after a lost leg the next dial waits it out. */
const GRACE_MS = 20_000;
const DAY_MS = 86_400_000;

/** How the callee's leg ended. */
export interface LegEnding {
  outcome: LegOutcome;
  reason: string;
  cause: number;
  sipStatus: number;
  lost: boolean;
}

/** The ending a fact tells of; a guard's timer tells only that the leg fell silent. */
export const legEndingFromEvent = (event: CallMachineEvent): LegEnding => {
  switch (event.type) {
    case 'hungUp':
      return {
        outcome: event.outcome,
        reason: event.lost ? 'lost' : event.outcome,
        cause: event.cause,
        sipStatus: event.sipStatus,
        lost: event.lost === true,
      };
    case 'originateFailed': {
      const outcome = legOutcomeRuleByReason(event.reason) ? (event.reason as LegOutcome) : 'unreachable';
      return { outcome, reason: event.reason, cause: 0, sipStatus: 0, lost: false };
    }
    case 'resolveUnknown': {
      const outcome = event.outcome ?? 'unreachable';
      return { outcome, reason: outcome, cause: 0, sipStatus: 0, lost: false };
    }
    default:
      return { outcome: 'unreachable', reason: 'lost', cause: 0, sipStatus: 0, lost: true };
  }
};

/** A leg that fell silent, or that an operator has written off, may ring or be up all the same. */
const mayLive = (event: CallMachineEvent, { lost }: LegEnding): boolean =>
  lost || event.type === 'resolveUnknown';

/** The context once the callee's leg is gone. */
export const endDialAttemptByEvent = (scope: CallActionArgs): Partial<CallContext> =>
  endDialAttempt(scope, legEndingFromEvent(scope.event));

/** The context once the attempt is over, with how its leg ended. */
export const endDialAttempt = (scope: CallActionArgs, ending: LegEnding): Partial<CallContext> => {
  const { context } = scope;
  const at = callEventTime(scope);
  const status = statusOf(context, ending);
  const reason = reasonOf(context, status, ending);
  const { dial, talk } = context;
  const answeredAt = dial.answeredAt || (status === 'OK' ? at : 0);
  const ended = { answeredAt, endedAt: at, status, reason, cause: ending.cause, sipStatus: ending.sipStatus };
  const { attempt, route, callerId, price, dialedAt, rangAt, tries = [] } = dial;
  const made = {
    ...{ attempt, ...numberOf(context), route, ...(callerId !== undefined && { callerId }) },
    ...(price && { purchase: priceOfTalk(price, answeredAt === 0 ? 0 : (at - answeredAt) / 1_000) }),
    ...{ dialedAt, rangAt, ...ended },
  };
  return {
    ...updateIvrState(context, captureDigitResponse(talk)),
    attempts: [...context.attempts, tries.length > 0 ? { ...made, tries } : made],
    ...updateDialContext(context, { leg: 0, lost: mayLive(scope.event, ending), ...ended }),
  };
};

/** Which number it was goes without saying when there is only one. */
const numberOf = (context: CallContext): { number?: string } =>
  context.call.alternatives?.length ? { number: lastDialledNumber(context) } : {};

const statusOf = ({ dial }: CallContext, ending: LegEnding): LastAttemptOutcomeCode => {
  if (dial.answeredAt) return 'OK';
  if (dial.cancelled) return 'CANCEL';
  if (ending.lost) return 'CHANUNAVAIL';
  if (dial.reason === 'noAnswer') return 'NOANSWER';
  return legOutcomeRules[ending.outcome].status;
};

/** Why it ended: what we said before we hung up, else what the carrier says. */
const reasonOf = ({ dial }: CallContext, status: LastAttemptOutcomeCode, ending: LegEnding): string => {
  if (ending.lost && status !== 'CANCEL') return 'lost';
  if (dial.reason) return dial.reason;
  return status === 'OK' ? 'hungUp' : ending.reason;
};

/** The context of a call that ends without this attempt. */
export const endCallWithoutDialing = (
  scope: CallActionArgs,
  reason: string,
  detail: string,
): Partial<CallContext> => {
  const at = callEventTime(scope);
  return {
    ...updateDialContext(scope.context, { status: 'CANCEL', reason, endedAt: at, cause: 0, sipStatus: 0 }),
    explanations: addCallExplanation(scope.context, { rule: reason, detail, at }),
  };
};

/** When the next attempt is due, counted from the end of the last: another number is tried at once. */
export const nextAttemptDueAt = (context: CallContext): number => {
  const intervalMs = isNextNumberOfSameRound(context) ? 0 : context.call.schedule.intervalMs;
  const pause = context.dial.lost
    ? Math.max(intervalMs, GRACE_MS + context.call.ringSeconds * 1_000)
    : intervalMs;
  return context.dial.endedAt + pause;
};

export const mayRetryCall = (context: CallContext): boolean =>
  RETRIED.includes(context.dial.status) &&
  mayFollow(context) &&
  !context.dial.cancelled &&
  !context.turn?.over &&
  context.dial.attempt < dialAttemptsAllowed(context.call) &&
  (context.plan.until === 0 || nextAttemptDueAt(context) <= context.plan.until);

/** The callee, or the account, may have said that this ending is the last. */
const mayFollow = ({ call, dial }: CallContext): boolean => {
  switch (legOutcomeRuleByReason(dial.reason)?.retry) {
    case 'no':
      return false;
    case 'unlessDeclined':
      return call.schedule.retryDeclined !== false;
    default:
      return true;
  }
};

/** The person has another number that was not tried in this round. */
export const mayTryNextNumber = (context: CallContext): boolean =>
  isNextNumberOfSameRound(context) && !context.dial.lost && mayRetryCall(context);

/**
 * `sms_action`: ok, answered; nae, not answered at the end; oknae, both; dtmf1, the digit was pressed. Who has called the
 * call unwanted is not written to instead.
 */
export const isFollowUpSmsDue = (context: CallContext): boolean => {
  const answered = context.dial.status === 'OK';
  const missed =
    RETRIED.includes(context.dial.status) && legOutcomeRuleByReason(context.dial.reason)?.retry !== 'no';
  switch (context.call.sms?.when) {
    case 'ok':
      return answered;
    case 'nae':
      return missed;
    case 'oknae':
      return answered || missed;
    case 'dtmf1':
      return context.talk.smsDigitPressed;
    case undefined:
      return false;
  }
};

/** A timetable that the hours of its number never meet is moved on by so many days at most, those of `block` included. */
const MOVED_AT_MOST_MS = 60 * DAY_MS;

/** The timetable was moved on as far as it may be. */
export const isMovedOut = ({ call, plan }: CallContext): boolean =>
  plan.until - (call.schedule.until ?? 0) >= MOVED_AT_MOST_MS;

/** Nothing was tried and the last moment is over: the whole timetable moves on by days. */
export const moveScheduleByDays = (context: CallContext, at: number): Partial<CallContext> => {
  const { plan } = context;
  const shift = Math.ceil((at - plan.until) / DAY_MS) * DAY_MS;
  const notBefore = (plan.notBefore || context.bornAt) + shift;
  return {
    plan: { ...plan, notBefore, until: plan.until + shift },
    explanations: addCallExplanation(context, {
      rule: 'repeat',
      detail: 'nothing was tried before the last moment; the call waits for the same time on a later day',
      at,
      until: notBefore,
    }),
  };
};
