/** What a call writes down when a fact arrives: pure functions from context and fact to the changed fields. */
import {
  addCallExplanation,
  updateDialContext,
  updateSecondLegContext,
  updateIvrState,
  eventLegNumber,
  secondLegInContext,
  callEventTime,
  type CallContext,
  type PlayingPromptKind,
  type CallActionArgs,
} from './context.ts';
import { applyDtmfDigit, applyDigitTimeout } from './interpretDtmfDigits.ts';
import {
  findSecondLeg,
  formatLegTarget,
  transferUsesQueue,
  removeSecondLeg,
} from './startAttemptsAndLegs.ts';
import {
  endDialAttemptByEvent,
  nextAttemptDueAt,
  moveScheduleByDays,
  endCallWithoutDialing,
} from './attemptEndAndRetry.ts';

/** Pause before call admission is asked again after it failed. */
const ADMISSION_RETRY_MS = 30_000;
/** A second leg is given this much more than its ringing. */
const RING_SLACK_SECONDS = 30;

type Assigner = (scope: CallActionArgs) => Partial<CallContext>;

// ------------------------------------------------------------ before a dial

export const assignAudioRequested: Assigner = ({ context }) => ({
  audio: { ...context.audio, asks: context.audio.asks + 1 },
});

export const assignPreparedAudio: Assigner = (scope) => {
  if (scope.event.type !== 'audioPrepared') return {};
  const made = scope.event.audio.map(({ media, seconds }) => ({ media, seconds }));
  return { audio: { made, at: callEventTime(scope), asks: 0 } };
};

export const assignAudioFailed: Assigner = (scope) =>
  endCallWithoutDialing(
    scope,
    'audio',
    scope.event.type === 'prepareAudioFailed' ? scope.event.message : 'the audio was not made in time',
  );

export const assignEndedForLackOfAudio: Assigner = (scope) =>
  endCallWithoutDialing(
    scope,
    'audio',
    'nothing would be heard: no text says anything, and there is no other audio',
  );

export const assignCallScheduleMovedByDays: Assigner = (scope) =>
  moveScheduleByDays(scope.context, callEventTime(scope));

export const assignEndedWithoutOpenHours: Assigner = (scope) =>
  endCallWithoutDialing(
    scope,
    'missed',
    'on every day its last moment was over before the call could be dialled; it is moved on by no more days',
  );

export const assignScheduledWaitReason: Assigner = (scope) => ({
  explanations: addCallExplanation(scope.context, {
    rule: 'schedule',
    detail: 'the call waits for the given date',
    at: callEventTime(scope),
    until: scope.context.plan.notBefore,
  }),
});

/** An operator wants it now: dates no longer hold it. */
export const assignCallDateLimitsLifted: Assigner = (scope) => {
  const { plan } = scope.context;
  return { plan: { ...plan, notBefore: 0, until: plan.until < callEventTime(scope) ? 0 : plan.until } };
};

export const assignClearanceRefused: Assigner = (scope) =>
  scope.event.type === 'refused' ? endCallWithoutDialing(scope, scope.event.reason, scope.event.detail) : {};

export const assignClearancePostponed: Assigner = (scope) => {
  const { context, event } = scope;
  const at = callEventTime(scope);
  const away = {
    rule: 'capacity',
    detail: 'dialling could not be cleared',
    at,
    until: at + ADMISSION_RETRY_MS,
  };
  const why =
    event.type === 'postponed' ? { rule: event.reason, detail: event.detail, at, until: event.until } : away;
  return { plan: { ...context.plan, resumeAt: why.until }, explanations: addCallExplanation(context, why) };
};

export const assignCancelledBeforeDial: Assigner = (scope) =>
  endCallWithoutDialing(scope, 'cancelled', 'an operator cancelled the call');

// -------------------------------------------------------------- the attempt

export const assignRingingTime: Assigner = (scope) =>
  updateDialContext(scope.context, { rangAt: scope.context.dial.rangAt || callEventTime(scope) });

export const assignAnswerTime: Assigner = (scope) =>
  updateDialContext(scope.context, { answeredAt: callEventTime(scope) });

export const assignCallCancelled: Assigner = ({ context, event }) => {
  const isUnpaid = event.type === 'cancel' && event.reason === 'insufficientBalance';
  return updateDialContext(context, {
    cancelled: true,
    reason: isUnpaid ? 'insufficientBalance' : 'cancelled',
  });
};

/** Why the call will end; the first reason stands. */
export const assignEndReason = ({ context }: CallActionArgs, reason: string): Partial<CallContext> =>
  context.dial.reason ? {} : updateDialContext(context, { reason });

/** The callee's leg is gone: the attempt is over. */
export const assignAttemptEnded: Assigner = endDialAttemptByEvent;

/** Nothing more was heard of the legs we hung up. */
export const assignLegsGivenUp: Assigner = (scope) => ({
  ...(scope.context.dial.leg ? endDialAttemptByEvent(scope) : {}),
  ...(scope.context.second ? assignSecondLegsDropped(scope) : {}),
});

export const assignRetryTime: Assigner = (scope) => ({
  plan: { ...scope.context.plan, resumeAt: nextAttemptDueAt(scope.context) },
  explanations: addCallExplanation(scope.context, {
    rule: 'retry',
    detail: `attempt ${scope.context.dial.attempt} ended ${scope.context.dial.status}, and another follows`,
    at: callEventTime(scope),
    until: nextAttemptDueAt(scope.context),
  }),
});

export const assignFollowUpSmsId: Assigner = ({ event }) =>
  event.type === 'smsAccepted' ? { smsId: event.providerId } : {};

export const assignFollowUpSmsFailed: Assigner = (scope) => ({
  explanations: addCallExplanation(scope.context, {
    rule: 'sms',
    detail:
      scope.event.type === 'sendSmsFailed'
        ? `the message was not taken: ${scope.event.message}`
        : 'whether the message was taken is not known; it is not sent again',
    at: callEventTime(scope),
  }),
});

// --------------------------------------------------------- the conversation

export const assignAnsweringMachineResult: Assigner = ({ context, event }) => {
  if (event.type !== 'machineDetected' || event.result === 'notSure') return {};
  return updateIvrState(context, { answeredBy: event.result === 'machine' ? 'MA' : 'HM' });
};

export const assignDtmfDigit: Assigner = ({ context, event }) =>
  event.type === 'digitReceived' ? applyDtmfDigit(context, event.digit) : {};

export const assignDigitWaitTimedOut: Assigner = ({ context }) => applyDigitTimeout(context);

/** Something new is going to be heard. */
export const assignPromptCue = ({ context }: CallActionArgs, cue: PlayingPromptKind): Partial<CallContext> =>
  updateIvrState(context, { cue, plays: context.talk.plays + 1 });

/** The cue chosen before is going to be heard. */
export const assignPlaybackCounted: Assigner = ({ context }) =>
  updateIvrState(context, { plays: context.talk.plays + 1 });

/** The callee will be told that no digit, or a wrong one, came. */
export const assignDigitErrorPrompt = (
  { context }: CallActionArgs,
  cue: 'noDigit' | 'wrong',
): Partial<CallContext> => updateIvrState(context, { cue, misses: context.talk.misses + 1 });

/** The callee will be told why the call ends. */
export const assignNotConfirmedPrompt = (
  { context }: CallActionArgs,
  cue: 'notConfirmed' | 'unconfirmed',
): Partial<CallContext> => updateIvrState(context, { cue });

/** What was asked for never came. */
export const assignNoKeyAnswerReason: Assigner = (scope) =>
  assignEndReason(scope, scope.context.call.mode === 'validate' ? 'notValidated' : 'noAnswerByKey');

// ----------------------------------------------------------- the second leg

export const assignTransferTarget: Assigner = ({ context, event }) =>
  updateSecondLegContext(context, {
    target: event.type === 'transferRequested' ? event.to : (context.call.transfer ?? null),
  });

/** Callers of a queue, and those with `fifo`, wait up to `fifolim`; the others as long as it may ring. */
export const assignTransferWaitDeadline: Assigner = (scope) => {
  const { call } = scope.context;
  const waits = transferUsesQueue(call, secondLegInContext(scope.context).target);
  const seconds = waits ? call.lineSeconds : call.ringSeconds + RING_SLACK_SECONDS;
  return updateSecondLegContext(scope.context, {
    until: callEventTime(scope) + seconds * 1_000,
    question: (secondLegInContext(scope.context).question ?? 0) + 1,
    line: 0,
    endpoint: null,
    partner: 0,
  });
};

export const assignQueueLeft: Assigner = ({ context }) =>
  context.second?.line ? updateSecondLegContext(context, { line: 0 }) : {};

export const assignQueueId: Assigner = ({ context, event }) =>
  event.type === 'targetResolved' && event.how === 'line'
    ? updateSecondLegContext(context, { line: event.line })
    : {};

export const assignTransferRefused: Assigner = (scope) => {
  const { context, event } = scope;
  const [rule, detail] =
    event.type === 'targetRefused'
      ? [event.reason, event.detail]
      : ['target', 'where the second leg goes could not be found out'];
  return {
    ...updateDialContext(context, { reason: rule }),
    explanations: addCallExplanation(context, { rule, detail, at: callEventTime(scope) }),
  };
};

export const assignSecondLegGone: Assigner = ({ context, event }) =>
  removeSecondLeg(context, eventLegNumber(event));

/** They were up and are being ended; should one of them stir, it is a stray. */
export const assignSecondLegsDropped: Assigner = ({ context }) =>
  updateSecondLegContext(context, { legs: [], partner: 0 });

export const assignLegsBridged: Assigner = (scope) => {
  const { context } = scope;
  const leg = eventLegNumber(scope.event);
  const talk = {
    partner: leg,
    line: findSecondLeg(context, leg)?.line ?? 0,
    transferTo: formatLegTarget(secondLegInContext(context).target),
    transferredAt: callEventTime(scope),
  };
  return {
    ...updateSecondLegContext(context, talk),
    ...updateDialContext(context, { reason: 'transferred' }),
  };
};

/** The two never heard each other. */
export const assignLegsNeverBridged: Assigner = ({ context }) => ({
  ...updateSecondLegContext(context, { partner: 0, transferTo: '', transferredAt: 0 }),
  ...updateDialContext(context, { reason: 'nobody' }),
});

// ------------------------------------------------------------- the recording

export const assignRecordingFinished: Assigner = ({ context, event }) => {
  const { recording } = context;
  if (!recording) return {};
  return {
    recording:
      event.type === 'recorded'
        ? { ...recording, open: false, media: event.media, seconds: event.seconds }
        : { ...recording, open: false },
  };
};
