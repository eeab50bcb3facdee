/** What a call writes down when a fact arrives: pure functions from context and fact to the changed fields. */
import {
  explained,
  inDial,
  inSecond,
  inTalk,
  legOf,
  secondOf,
  timeOf,
  type CallContext,
  type Cue,
  type Scope,
} from './context.ts';
import { withDigit, withSilence } from './digits.ts';
import { secondLeg, targetText, waitsInLine, withoutSecond } from './legRequests.ts';
import { attemptEnded, nextDue, rolledOn, withheld } from './outcome.ts';

/** Pause before call admission is asked again after it failed. */
const ADMISSION_RETRY_MS = 30_000;
/** A second leg is given this much more than its ringing. */
const RING_SLACK_SECONDS = 30;

type Assigner = (scope: Scope) => Partial<CallContext>;

// ------------------------------------------------------------ before a dial

export const audioAsked: Assigner = ({ context }) => ({
  audio: { ...context.audio, asks: context.audio.asks + 1 },
});

export const audioPrepared: Assigner = (scope) => {
  if (scope.event.type !== 'audioPrepared') return {};
  const made = scope.event.audio.map(({ media, seconds }) => ({ media, seconds }));
  return { audio: { made, at: timeOf(scope), asks: 0 } };
};

export const audioFailed: Assigner = (scope) =>
  withheld(
    scope,
    'audio',
    scope.event.type === 'prepareAudioFailed' ? scope.event.message : 'the audio was not made in time',
  );

export const silent: Assigner = (scope) =>
  withheld(scope, 'audio', 'nothing would be heard: no text says anything, and there is no other audio');

export const timetableRolled: Assigner = (scope) => rolledOn(scope.context, timeOf(scope));

export const waitAnnounced: Assigner = (scope) => ({
  explanations: explained(scope.context, {
    rule: 'schedule',
    detail: 'the call waits for the given date',
    at: timeOf(scope),
    until: scope.context.plan.notBefore,
  }),
});

/** An operator wants it now: dates no longer hold it. */
export const datesLifted: Assigner = (scope) => {
  const { plan } = scope.context;
  return { plan: { ...plan, notBefore: 0, until: plan.until < timeOf(scope) ? 0 : plan.until } };
};

export const refused: Assigner = (scope) =>
  scope.event.type === 'refused' ? withheld(scope, scope.event.reason, scope.event.detail) : {};

export const postponed: Assigner = (scope) => {
  const { context, event } = scope;
  const at = timeOf(scope);
  const away = {
    rule: 'capacity',
    detail: 'dialling could not be cleared',
    at,
    until: at + ADMISSION_RETRY_MS,
  };
  const why =
    event.type === 'postponed' ? { rule: event.reason, detail: event.detail, at, until: event.until } : away;
  return { plan: { ...context.plan, resumeAt: why.until }, explanations: explained(context, why) };
};

export const cancelledUndialed: Assigner = (scope) =>
  withheld(scope, 'cancelled', 'an operator cancelled the call');

// -------------------------------------------------------------- the attempt

export const ringing: Assigner = (scope) =>
  inDial(scope.context, { rangAt: scope.context.dial.rangAt || timeOf(scope) });

export const answered: Assigner = (scope) => inDial(scope.context, { answeredAt: timeOf(scope) });

export const cancelled: Assigner = ({ context, event }) => {
  const isUnpaid = event.type === 'cancel' && event.reason === 'insufficientBalance';
  return inDial(context, { cancelled: true, reason: isUnpaid ? 'insufficientBalance' : 'cancelled' });
};

/** Why the call will end; the first reason stands. */
export const because = ({ context }: Scope, reason: string): Partial<CallContext> =>
  context.dial.reason ? {} : inDial(context, { reason });

/** The callee's leg is gone: the attempt is over. */
export const ended: Assigner = attemptEnded;

/** Nothing more was heard of the legs we hung up. */
export const givenUp: Assigner = (scope) => ({
  ...(scope.context.dial.leg ? attemptEnded(scope) : {}),
  ...(scope.context.second ? secondsDropped(scope) : {}),
});

export const retryPlanned: Assigner = (scope) => ({
  plan: { ...scope.context.plan, resumeAt: nextDue(scope.context) },
  explanations: explained(scope.context, {
    rule: 'retry',
    detail: `attempt ${scope.context.dial.attempt} ended ${scope.context.dial.status}, and another follows`,
    at: timeOf(scope),
    until: nextDue(scope.context),
  }),
});

export const smsAccepted: Assigner = ({ event }) =>
  event.type === 'smsAccepted' ? { smsId: event.providerId } : {};

export const smsMissed: Assigner = (scope) => ({
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

export const detected: Assigner = ({ context, event }) => {
  if (event.type !== 'machineDetected' || event.result === 'notSure') return {};
  return inTalk(context, { answeredBy: event.result === 'machine' ? 'MA' : 'HM' });
};

export const digitHeard: Assigner = ({ context, event }) =>
  event.type === 'digitReceived' ? withDigit(context, event.digit) : {};

export const silenceHeard: Assigner = ({ context }) => withSilence(context);

/** Something new is going to be heard. */
export const cued = ({ context }: Scope, cue: Cue): Partial<CallContext> =>
  inTalk(context, { cue, plays: context.talk.plays + 1 });

/** The cue chosen before is going to be heard. */
export const playedAnew: Assigner = ({ context }) => inTalk(context, { plays: context.talk.plays + 1 });

/** The callee will be told that no digit, or a wrong one, came. */
export const misheard = ({ context }: Scope, cue: 'noDigit' | 'wrong'): Partial<CallContext> =>
  inTalk(context, { cue, misses: context.talk.misses + 1 });

/** The callee will be told why the call ends. */
export const noticed = ({ context }: Scope, cue: 'notConfirmed' | 'unconfirmed'): Partial<CallContext> =>
  inTalk(context, { cue });

/** What was asked for never came. */
export const unanswered: Assigner = (scope) =>
  because(scope, scope.context.call.mode === 'validate' ? 'notValidated' : 'noAnswerByKey');

// ----------------------------------------------------------- the second leg

export const targetChosen: Assigner = ({ context, event }) =>
  inSecond(context, {
    target: event.type === 'transferRequested' ? event.to : (context.call.transfer ?? null),
  });

/** Callers of a queue, and those with `fifo`, wait up to `fifolim`; the others as long as it may ring. */
export const lineOpened: Assigner = (scope) => {
  const { call } = scope.context;
  const waits = waitsInLine(call, secondOf(scope.context).target);
  const seconds = waits ? call.lineSeconds : call.ringSeconds + RING_SLACK_SECONDS;
  return inSecond(scope.context, {
    until: timeOf(scope) + seconds * 1_000,
    question: (secondOf(scope.context).question ?? 0) + 1,
    line: 0,
    endpoint: null,
    partner: 0,
  });
};

export const lineLeft: Assigner = ({ context }) =>
  context.second?.line ? inSecond(context, { line: 0 }) : {};

export const lineNamed: Assigner = ({ context, event }) =>
  event.type === 'targetResolved' && event.how === 'line' ? inSecond(context, { line: event.line }) : {};

export const targetRefused: Assigner = (scope) => {
  const { context, event } = scope;
  const [rule, detail] =
    event.type === 'targetRefused'
      ? [event.reason, event.detail]
      : ['target', 'where the second leg goes could not be found out'];
  return {
    ...inDial(context, { reason: rule }),
    explanations: explained(context, { rule, detail, at: timeOf(scope) }),
  };
};

export const secondGone: Assigner = ({ context, event }) => withoutSecond(context, legOf(event));

/** They were up and are being ended; should one of them stir, it is a stray. */
export const secondsDropped: Assigner = ({ context }) => inSecond(context, { legs: [], partner: 0 });

export const bridged: Assigner = (scope) => {
  const { context } = scope;
  const leg = legOf(scope.event);
  const talk = {
    partner: leg,
    line: secondLeg(context, leg)?.line ?? 0,
    transferTo: targetText(secondOf(context).target),
    transferredAt: timeOf(scope),
  };
  return { ...inSecond(context, talk), ...inDial(context, { reason: 'transferred' }) };
};

/** The two never heard each other. */
export const unbridged: Assigner = ({ context }) => ({
  ...inSecond(context, { partner: 0, transferTo: '', transferredAt: 0 }),
  ...inDial(context, { reason: 'nobody' }),
});

// ------------------------------------------------------------- the recording

export const recorded: Assigner = ({ context, event }) => {
  const { recording } = context;
  if (!recording) return {};
  return {
    recording:
      event.type === 'recorded'
        ? { ...recording, open: false, media: event.media, seconds: event.seconds }
        : { ...recording, open: false },
  };
};
