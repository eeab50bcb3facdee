/** The questions a call asks itself: answered from context and fact alone. */
import {
  eventLegNumber,
  liveLegNumbers,
  questionOfClearanceAnswer,
  secondLegInContext,
  callEventTime,
  type CallContext,
  type PlayingPromptKind,
  type CallActionArgs,
} from './context.ts';
import { asksForDigits, interpretDtmfDigit, interpretDigitTimeout } from './interpretDtmfDigits.ts';
import { findSecondLeg } from './startAttemptsAndLegs.ts';
import { isMovedOut, mayRetryCall, mayTryNextNumber, isFollowUpSmsDue } from './attemptEndAndRetry.ts';
import {
  collectPromptFiles,
  hasNoAudiblePrompt,
  currentPlaybackId,
  promptSourcesForCue,
  collectPromptTexts,
} from './prompts.ts';
import { isAboutLastTurnRequest } from './campaignGrant.ts';
import { mayTryAnotherTrunk } from './tryAnotherTrunk.ts';
import type { DigitMeaning } from './verdict.ts';

/** Speech older than this is asked for again before a dial: its file may be gone. */
export const AUDIO_KEEPS_MS = 3_600_000;
/** How often speech is asked in vain. */
const AUDIO_ASKS = 5;
/** Failed originates whose leg may exist all the same. */
const DOUBTFUL: readonly string[] = ['timeout', 'duplicate'];
/** A dial that could not be made within this time of its step is not made: its hours may be over, or its campaign. */
export const DIAL_KEEPS_MS = 30_000;
/** Carrier and callee may be this late with the end of ringing. */
const RING_SLACK_MS = 15_000;
/** The carrier's clock and ours may be this far apart. */
const CLOCKS_APART_MS = 60_000;

const has = (context: CallContext, cue: PlayingPromptKind): boolean =>
  promptSourcesForCue(context, cue).length > 0;
const isSpoken = (context: CallContext): boolean => collectPromptTexts(context.call).length > 0;
/** Since its texts were spoken and its files were seen, milliseconds. */
const audioAge = (scope: CallActionArgs): number =>
  callEventTime(scope) - (scope.context.audio.at || scope.context.bornAt);
const isOver = ({ context, event }: CallActionArgs): boolean =>
  context.plan.until > 0 && callEventTime({ context, event }) > context.plan.until;

/** The last moment is over, and nothing was tried. */
const isMissed = (scope: CallActionArgs): boolean => scope.context.dial.attempt === 0 && isOver(scope);

/** The carrier is certain that it never heard of the callee's leg: no telephone rang. */
const isNeverDialled = ({ context, event }: CallActionArgs): boolean =>
  event.type === 'hungUp' &&
  event.neverSince !== undefined &&
  context.dial.leg > 0 &&
  event.leg === context.dial.leg &&
  context.dial.dialedAt > event.neverSince + CLOCKS_APART_MS;

const isFoundInTime = ({ context, event }: CallActionArgs): boolean =>
  event.type === 'legFound' &&
  event.leg === context.dial.leg &&
  event.at < context.dial.dialedAt + context.call.ringSeconds * 1_000 + RING_SLACK_MS;

const isDialledTooLate = (scope: CallActionArgs): boolean =>
  (isNeverDialled(scope) && callEventTime(scope) > scope.context.dial.dialedAt + DIAL_KEEPS_MS) ||
  (scope.event.type === 'originateFailed' &&
    scope.event.reason === 'late' &&
    eventLegNumber(scope.event) === scope.context.dial.leg);

export const callMachineGuards = {
  // before a dial
  isSilent: ({ context }: CallActionArgs) => hasNoAudiblePrompt(context.call),
  needsAudio: ({ context }: CallActionArgs) => isSpoken(context),
  isAudioComplete: ({ context, event }: CallActionArgs) =>
    event.type === 'audioPrepared' && event.audio.length === collectPromptTexts(context.call).length,
  isAskedOut: ({ context }: CallActionArgs) => context.audio.asks >= AUDIO_ASKS,
  /** What was spoken keeps for a while; a file may have been deleted while the call waited. */
  isAudioStale: (scope: CallActionArgs) =>
    (isSpoken(scope.context) && audioAge(scope) > AUDIO_KEEPS_MS) ||
    (audioAge(scope) > 0 && collectPromptFiles(scope.context.call).length > 0),
  isEarly: ({ context, event }: CallActionArgs) => callEventTime({ context, event }) < context.plan.notBefore,
  isTooLate: (scope: CallActionArgs) => scope.context.dial.attempt > 0 && isOver(scope),
  isMissed,
  isMissedForDays: (scope: CallActionArgs) => isMissed(scope) && isMovedOut(scope.context),
  isPastUntil: isOver,
  hasTurn: ({ context }: CallActionArgs) => context.turn !== undefined,
  needsTurn: ({ context }: CallActionArgs) => context.turn !== undefined && context.turn.stage !== 'granted',
  /** The grant in hand is taken back. */
  isRevoked: (scope: CallActionArgs) =>
    scope.context.turn?.stage === 'granted' &&
    isAboutLastTurnRequest(scope) &&
    questionOfClearanceAnswer(scope.event) === undefined,
  isAboutThisAsk: isAboutLastTurnRequest,
  /** Admission answers an earlier question. */
  isLateAnswer: ({ context, event }: CallActionArgs) => {
    const question = questionOfClearanceAnswer(event);
    return question !== undefined && question !== context.dial.question;
  },
  isTried: ({ context }: CallActionArgs) => context.dial.attempt > 0,

  // legs
  isCallee: ({ context, event }: CallActionArgs) =>
    context.dial.leg > 0 && eventLegNumber(event) === context.dial.leg,
  isDoubtful: ({ context, event }: CallActionArgs) =>
    event.type === 'originateFailed' &&
    eventLegNumber(event) === context.dial.leg &&
    DOUBTFUL.includes(event.reason),
  isCalleeUp: ({ context, event }: CallActionArgs) =>
    event.type === 'legFound' && event.leg === context.dial.leg && event.state === 'up',
  isCalleeInTime: isFoundInTime,
  /** Found by an adoption: who dialled it may have died before the ringing was heard. */
  isCalleeRinging: (scope: CallActionArgs) =>
    isFoundInTime(scope) && scope.event.type === 'legFound' && scope.event.state === 'ringing',
  /** No telephone rang, and the moment to dial has passed. */
  isDialledTooLate,
  isTriedTooLate: (scope: CallActionArgs) =>
    isDialledTooLate(scope) && (scope.context.dial.tries ?? []).length > 0,
  wasNeverDialled: isNeverDialled,
  mayReroute: mayTryAnotherTrunk,
  isUnknownCallee: ({ context, event }: CallActionArgs) =>
    event.type === 'outcomeUnknown' &&
    event.effect === 'originate' &&
    eventLegNumber(event) === context.dial.leg,
  isUnknownSecond: ({ context, event }: CallActionArgs) =>
    event.type === 'outcomeUnknown' &&
    event.effect === 'originate' &&
    findSecondLeg(context, eventLegNumber(event)) !== undefined,
  isSecond: ({ context, event }: CallActionArgs) =>
    findSecondLeg(context, eventLegNumber(event)) !== undefined,
  isSecondUp: ({ context, event }: CallActionArgs) =>
    event.type === 'legFound' && event.state === 'up' && findSecondLeg(context, event.leg) !== undefined,
  /** A second leg answers that is not needed any more. */
  isSpare: ({ context, event }: CallActionArgs) => {
    const leg = eventLegNumber(event);
    const isUp = event.type === 'answered' || (event.type === 'legFound' && event.state === 'up');
    return isUp && leg !== secondLegInContext(context).partner && findSecondLeg(context, leg) !== undefined;
  },
  isPartner: ({ context, event }: CallActionArgs) =>
    secondLegInContext(context).partner > 0 && eventLegNumber(event) === secondLegInContext(context).partner,
  /** A leg of ours that we had given up shows signs of life. */
  isStray: ({ context, event }: CallActionArgs) => {
    const leg = eventLegNumber(event);
    return leg > 0 && leg <= context.lastLeg && !liveLegNumbers(context).includes(leg);
  },
  isAllClosed: ({ context }: CallActionArgs) =>
    context.dial.leg === 0 &&
    secondLegInContext(context).legs.length === 0 &&
    context.recording?.open !== true,
  isOnlyFileOpen: ({ context }: CallActionArgs) =>
    context.dial.leg === 0 &&
    secondLegInContext(context).legs.length === 0 &&
    context.recording?.open === true,

  // the conversation
  /** The call has something to say for this cue. */
  has: ({ context }: CallActionArgs, cue: PlayingPromptKind) => has(context, cue),
  isMachine: ({ context, event }: CallActionArgs) =>
    event.type === 'machineDetected' && event.leg === context.dial.leg && event.result === 'machine',
  asks: ({ context }: CallActionArgs) => asksForDigits(context.call),
  recordsAnswer: ({ context }: CallActionArgs) => context.call.mode === 'recordAnswer',
  isForAgent: ({ context }: CallActionArgs) =>
    context.call.mode === 'agent' && context.call.transfer !== undefined,
  isPlayback: ({ context, event }: CallActionArgs) => {
    if (eventLegNumber(event) !== context.dial.leg) return false;
    const named =
      'playback' in event ? event.playback : 'params' in event && event.params['playback' as never];
    return named === currentPlaybackId(context);
  },
  isRecording: ({ context, event }: CallActionArgs) => {
    const named =
      'recording' in event ? event.recording : 'params' in event && event.params['recording' as never];
    return context.recording?.open === true && named === context.recording.name;
  },
  /** A digit of the callee with this meaning. */
  means: ({ context, event }: CallActionArgs, verdict: DigitMeaning) =>
    event.type === 'digitReceived' &&
    event.leg === context.dial.leg &&
    interpretDtmfDigit(context, event.digit) === verdict,
  /** The wait for digits being over means this. */
  silenceMeans: ({ context }: CallActionArgs, verdict: DigitMeaning) =>
    interpretDigitTimeout(context) === verdict,
  /** There is a notice for what was missing. */
  hasNotice: ({ context }: CallActionArgs) => has(context, context.talk.cue),
  isToldTwice: ({ context }: CallActionArgs) => context.talk.misses >= 2,
  /** A question waits once more for its answer, no oftener. */
  isMissedForGood: ({ context }: CallActionArgs) =>
    context.call.mode === 'question' && context.talk.misses >= 2,
  /** The digits were wrong once, and nothing is said to that. */
  isAskedAgain: ({ context }: CallActionArgs) => context.call.mode === 'validate' && context.talk.misses < 2,
  isHeardAgain: ({ context }: CallActionArgs) => context.call.mode === 'question',
  /** A question has a second part. */
  asksAgain: ({ context }: CallActionArgs) => (context.call.secondAnswer ?? 0) > 0,
  transfers: ({ context }: CallActionArgs) => context.call.transfer !== undefined,
  announcesTransfer: ({ context }: CallActionArgs) =>
    context.call.transfer !== undefined && has(context, 'beforeTransfer'),
  saysNobodyFree: ({ context }: CallActionArgs) => context.call.prompts.nobodyFree !== undefined,

  // the second leg
  isLastSecond: ({ context, event }: CallActionArgs) =>
    eventLegNumber(event) === context.lastLeg && findSecondLeg(context, eventLegNumber(event)) !== undefined,
  /** The caller is held to the end of `fifolim`, also when it is too short for another dial. */
  canRedial: ({ context, event }: CallActionArgs) =>
    context.call.waitInLine &&
    eventLegNumber(event) === context.lastLeg &&
    callEventTime({ context, event }) < secondLegInContext(context).until,
  /** The answer to an earlier question. */
  isFormerTarget: ({ context, event }: CallActionArgs) => {
    const question = questionOfClearanceAnswer(event);
    return question !== undefined && question !== secondLegInContext(context).question;
  },
  isEndpoint: ({ event }: CallActionArgs) => event.type === 'targetResolved' && event.how === 'endpoint',
  isThisBridge: ({ context, event }: CallActionArgs) =>
    event.type === 'bridgeFailed' && event.params.legs.includes(secondLegInContext(context).partner),
  isThisLine: ({ context, event }: CallActionArgs) =>
    'line' in event && event.line > 0 && event.line === secondLegInContext(context).line,
  sendsDigits: ({ context }: CallActionArgs) => context.call.sendDigits !== undefined,

  // afterwards
  mayRetry: (scope: CallActionArgs) => mayRetryCall(scope.context) && !isOver(scope),
  mayTryNextNumber: (scope: CallActionArgs) => mayTryNextNumber(scope.context) && !isOver(scope),
  wantsSms: ({ context }: CallActionArgs) => isFollowUpSmsDue(context),
};
