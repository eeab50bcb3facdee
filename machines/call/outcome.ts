/** How an attempt ended, and whether another follows (decisions "cd_status", "repeat"). */
import type { Outcome } from '../vocabulary/telephony.ts';
import { captured } from './digits.ts';
import { explained, timeOf, type CallContext, type Status } from './context.ts';
import type { CallEvent, Scope } from './events.ts';

const STATUS: Record<Outcome, Status> = {
  normal: 'OK',
  busy: 'BUSY',
  noAnswer: 'NOANSWER',
  cancelled: 'CANCEL',
  congestion: 'CONGESTION',
  unreachable: 'CHANUNAVAIL',
};

const RETRIED: readonly Status[] = ['BUSY', 'NOANSWER', 'CONGESTION', 'CHANUNAVAIL'];

/** Another node may doubt a silent one for this long; after a lost leg the next dial waits it out. */
const GRACE_MS = 20_000;
const DAY_MS = 86_400_000;

/** How the callee's leg ended. */
interface Ending {
  outcome: Outcome;
  reason: string;
  cause: number;
  sipStatus: number;
  lost: boolean;
}

/** The ending a fact tells of; a guard's timer tells only that the leg fell silent. */
const endingOf = (event: CallEvent): Ending => {
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
      const outcome = event.reason in STATUS ? (event.reason as Outcome) : 'unreachable';
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

/** The context once the callee's leg is gone. */
export const attemptEnded = (scope: Scope): Partial<CallContext> => {
  const { context } = scope;
  const at = timeOf(scope);
  const ending = endingOf(scope.event);
  const status = statusOf(context, ending);
  const reason = reasonOf(context, status, ending);
  const answeredAt = context.answeredAt || (status === 'OK' ? at : 0);
  return {
    ...captured(context),
    attempts: [
      ...context.attempts,
      {
        attempt: context.attempt,
        route: context.route,
        dialedAt: context.dialedAt,
        rangAt: context.rangAt,
        answeredAt,
        endedAt: at,
        status,
        reason,
        cause: ending.cause,
        sipStatus: ending.sipStatus,
      },
    ],
    leg: 0,
    lost: ending.lost && status !== 'OK',
    answeredAt,
    endedAt: at,
    status,
    reason,
    cause: ending.cause,
    sipStatus: ending.sipStatus,
  };
};

const statusOf = (context: CallContext, ending: Ending): Status => {
  if (context.answeredAt) return 'OK';
  if (context.cancelled) return 'CANCEL';
  if (ending.lost) return 'CHANUNAVAIL';
  if (context.reason === 'noAnswer') return 'NOANSWER';
  return STATUS[ending.outcome];
};

/** Why it ended: what we said before we hung up, else what the carrier says. */
const reasonOf = (context: CallContext, status: Status, ending: Ending): string => {
  if (ending.lost && status !== 'CANCEL') return 'lost';
  if (context.reason) return context.reason;
  return status === 'OK' ? 'hungUp' : ending.reason;
};

/** The context of a call that ends without this attempt. */
export const withheld = (scope: Scope, reason: string, detail: string): Partial<CallContext> => {
  const at = timeOf(scope);
  return {
    status: 'CANCEL',
    reason,
    endedAt: at,
    cause: 0,
    sipStatus: 0,
    explanations: explained(scope.context, { rule: reason, detail, at }),
  };
};

/** When the next attempt is due, counted from the end of the last. */
export const nextDue = (context: CallContext): number => {
  const { intervalMs } = context.call.schedule;
  const pause = context.lost ? Math.max(intervalMs, GRACE_MS + context.call.ringSeconds * 1_000) : intervalMs;
  return context.endedAt + pause;
};

export const mayRetry = (context: CallContext): boolean =>
  RETRIED.includes(context.status) &&
  context.attempt < context.call.schedule.tries &&
  (context.until === 0 || nextDue(context) <= context.until);

/** `sms_action`: ok, answered; nae, not answered at the end; oknae, both; dtmf1, the digit was pressed. */
export const wantsSms = (context: CallContext): boolean => {
  const answered = context.status === 'OK';
  const missed = RETRIED.includes(context.status);
  switch (context.call.sms?.when) {
    case 'ok':
      return answered;
    case 'nae':
      return missed;
    case 'oknae':
      return answered || missed;
    case 'dtmf1':
      return context.smsDigitPressed;
    case undefined:
      return false;
  }
};

/** Nothing was tried and the last moment is over: the whole timetable moves on by days. */
export const rolledOn = (context: CallContext, at: number): Partial<CallContext> => {
  const shift = Math.ceil((at - context.until) / DAY_MS) * DAY_MS;
  const notBefore = (context.notBefore || context.bornAt) + shift;
  return {
    notBefore,
    until: context.until + shift,
    explanations: explained(context, {
      rule: 'repeat',
      detail: 'nothing was tried before the last moment; the call waits for the same time on a later day',
      at,
      until: notBefore,
    }),
  };
};
