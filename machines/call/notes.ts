/** What a call writes down when a fact arrives: pure functions from context and fact to the changed fields. */
import { explained, legOf, timeOf, type CallContext, type Cue } from './context.ts';
import { withDigit, withSilence } from './digits.ts';
import type { Scope } from './events.ts';
import { secondOf, targetText, waitsInLine, withoutSecond } from './legs.ts';
import { attemptEnded, nextDue, rolledOn, withheld } from './outcome.ts';

/** Pause before the clearance desk is asked again after it failed. */
const DESK_AWAY_MS = 30_000;
/** A second leg is given this much more than its ringing. */
const RING_SLACK_SECONDS = 30;

type Note = (scope: Scope) => Partial<CallContext>;

// ------------------------------------------------------------ before a dial

export const audioAsked: Note = ({ context }) => ({ asks: context.asks + 1 });

export const audioPrepared: Note = (scope) =>
  scope.event.type === 'audioPrepared'
    ? {
        audio: scope.event.audio.map(({ media, seconds }) => ({ media, seconds })),
        audioAt: timeOf(scope),
        asks: 0,
      }
    : {};

export const audioFailed: Note = (scope) =>
  withheld(
    scope,
    'audio',
    scope.event.type === 'prepareAudioFailed' ? scope.event.message : 'the audio was not made in time',
  );

export const timetableRolled: Note = (scope) => rolledOn(scope.context, timeOf(scope));

export const waitAnnounced: Note = (scope) => ({
  explanations: explained(scope.context, {
    rule: 'schedule',
    detail: 'the call waits for the given date',
    at: timeOf(scope),
    until: scope.context.notBefore,
  }),
});

/** An operator wants it now: dates no longer hold it. */
export const datesLifted: Note = (scope) => ({
  notBefore: 0,
  until: scope.context.until > 0 && scope.context.until < timeOf(scope) ? 0 : scope.context.until,
});

export const refused: Note = (scope) =>
  scope.event.type === 'refused' ? withheld(scope, scope.event.reason, scope.event.detail) : {};

export const postponed: Note = (scope) => {
  const { context, event } = scope;
  const at = timeOf(scope);
  const away = { rule: 'capacity', detail: 'dialling could not be cleared', at, until: at + DESK_AWAY_MS };
  const why =
    event.type === 'postponed' ? { rule: event.reason, detail: event.detail, at, until: event.until } : away;
  return { resumeAt: why.until, explanations: explained(context, why) };
};

export const cancelledUndialed: Note = (scope) =>
  withheld(scope, 'cancelled', 'an operator cancelled the call');

// -------------------------------------------------------------- the attempt

export const ringing: Note = (scope) => ({ rangAt: scope.context.rangAt || timeOf(scope) });

export const answered: Note = (scope) => ({ answeredAt: timeOf(scope) });

export const cancelled: Note = () => ({ cancelled: true, reason: 'cancelled' });

/** Why the call will end; the first reason stands. */
export const because = ({ context }: Scope, reason: string): Partial<CallContext> => ({
  reason: context.reason || reason,
});

/** The callee's leg is gone: the attempt is over. */
export const ended: Note = attemptEnded;

/** Nothing more was heard of the legs we hung up. */
export const givenUp: Note = (scope) => ({
  ...(scope.context.leg ? attemptEnded(scope) : {}),
  seconds: [],
  partner: 0,
});

export const retryPlanned: Note = (scope) => ({
  resumeAt: nextDue(scope.context),
  explanations: explained(scope.context, {
    rule: 'retry',
    detail: `attempt ${scope.context.attempt} ended ${scope.context.status} (${scope.context.reason})`,
    at: timeOf(scope),
    until: nextDue(scope.context),
  }),
});

export const smsAccepted: Note = ({ event }) =>
  event.type === 'smsAccepted' ? { smsId: event.providerId } : {};

export const smsMissed: Note = (scope) => ({
  explanations: explained(scope.context, {
    rule: 'sms',
    detail:
      scope.event.type === 'sendSmsFailed'
        ? `the message was not taken: ${scope.event.message}`
        : 'whether the message was taken is not known; it is not sent again',
    at: timeOf(scope),
  }),
});

// --------------------------------------------------------- the conversation

export const detected: Note = ({ event }) => {
  if (event.type !== 'machineDetected' || event.result === 'notSure') return {};
  return { answeredBy: event.result === 'machine' ? 'MA' : 'HM' };
};

export const digitHeard: Note = ({ context, event }) =>
  event.type === 'digitReceived' ? withDigit(context, event.digit) : {};

export const silenceHeard: Note = ({ context }) => withSilence(context);

/** Something new is going to be heard. */
export const cued = ({ context }: Scope, cue: Cue): Partial<CallContext> => ({
  cue,
  plays: context.plays + 1,
});

/** The cue chosen before is going to be heard. */
export const playedAnew: Note = ({ context }) => ({ plays: context.plays + 1 });

/** The callee will be told that no digit, or a wrong one, came. */
export const misheard = ({ context }: Scope, cue: 'noDigit' | 'wrong'): Partial<CallContext> => ({
  cue,
  misses: context.misses + 1,
});

// ----------------------------------------------------------- the second leg

export const targetChosen: Note = ({ context, event }) => ({
  target: event.type === 'transferRequested' ? event.to : (context.call.transfer ?? null),
});

/** Callers of a queue, and those with `fifo`, wait up to `fifolim`; the others as long as it may ring. */
export const lineOpened: Note = (scope) => {
  const { call, target } = scope.context;
  const waits = waitsInLine(call, target);
  const seconds = waits ? call.lineSeconds : call.ringSeconds + RING_SLACK_SECONDS;
  return { lineUntil: timeOf(scope) + seconds * 1_000, line: 0, endpoint: null, partner: 0 };
};

export const lineLeft: Note = () => ({ line: 0 });

export const lineNamed: Note = ({ event }) =>
  event.type === 'targetResolved' && event.how === 'line' ? { line: event.line } : {};

export const targetRefused: Note = (scope) => {
  const { context, event } = scope;
  const [rule, detail] =
    event.type === 'targetRefused'
      ? [event.reason, event.detail]
      : ['target', 'where the second leg goes could not be found out'];
  return { reason: rule, explanations: explained(context, { rule, detail, at: timeOf(scope) }) };
};

export const secondGone: Note = ({ context, event }) => withoutSecond(context, legOf(event));

/** They were up and are being ended; should one of them stir, it is a stray. */
export const secondsDropped: Note = () => ({ seconds: [], partner: 0 });

export const bridged: Note = (scope) => {
  const leg = legOf(scope.event);
  return {
    partner: leg,
    line: secondOf(scope.context, leg)?.line ?? 0,
    transferTo: targetText(scope.context.target),
    transferredAt: timeOf(scope),
    reason: 'transferred',
  };
};

// ------------------------------------------------------------- the recording

export const recorded: Note = ({ context, event }) => {
  const { recording } = context;
  if (!recording) return {};
  return {
    recording:
      event.type === 'recorded'
        ? { ...recording, open: false, media: event.media, seconds: event.seconds }
        : { ...recording, open: false },
  };
};
