/** The questions a call asks itself: answered from context and fact alone. */
import {
  legOf,
  liveLegs,
  questionOf,
  secondOf,
  timeOf,
  type CallContext,
  type Cue,
  type Scope,
} from './context.ts';
import { asks, judge, judgeSilence } from './digits.ts';
import { secondLeg } from './legRequests.ts';
import { mayRetry, mayTryNextNumber, wantsSms } from './outcome.ts';
import { filesOf, isSilent, playbackOf, sourcesOf, textsOf } from './prompts.ts';
import { isAboutThisAsk } from './campaignGrant.ts';
import { mayReroute } from './reroute.ts';
import type { Verdict } from './verdict.ts';

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

const has = (context: CallContext, cue: Cue): boolean => sourcesOf(context, cue).length > 0;
const isSpoken = (context: CallContext): boolean => textsOf(context.call).length > 0;
/** Since its texts were spoken and its files were seen, milliseconds. */
const audioAge = (scope: Scope): number => timeOf(scope) - (scope.context.audio.at || scope.context.bornAt);
const isOver = ({ context, event }: Scope): boolean =>
  context.plan.until > 0 && timeOf({ context, event }) > context.plan.until;

/** The carrier is certain that it never heard of the callee's leg: no telephone rang. */
const isNeverDialled = ({ context, event }: Scope): boolean =>
  event.type === 'hungUp' &&
  event.neverSince !== undefined &&
  context.dial.leg > 0 &&
  event.leg === context.dial.leg &&
  context.dial.dialedAt > event.neverSince + CLOCKS_APART_MS;

const isFoundInTime = ({ context, event }: Scope): boolean =>
  event.type === 'legFound' &&
  event.leg === context.dial.leg &&
  event.at < context.dial.dialedAt + context.call.ringSeconds * 1_000 + RING_SLACK_MS;

const isDialledTooLate = (scope: Scope): boolean =>
  (isNeverDialled(scope) && timeOf(scope) > scope.context.dial.dialedAt + DIAL_KEEPS_MS) ||
  (scope.event.type === 'originateFailed' &&
    scope.event.reason === 'late' &&
    legOf(scope.event) === scope.context.dial.leg);

export const guards = {
  // before a dial
  isSilent: ({ context }: Scope) => isSilent(context.call),
  needsAudio: ({ context }: Scope) => isSpoken(context),
  isAudioComplete: ({ context, event }: Scope) =>
    event.type === 'audioPrepared' && event.audio.length === textsOf(context.call).length,
  isAskedOut: ({ context }: Scope) => context.audio.asks >= AUDIO_ASKS,
  /** What was spoken keeps for a while; a file may have been deleted while the call waited. */
  isAudioStale: (scope: Scope) =>
    (isSpoken(scope.context) && audioAge(scope) > AUDIO_KEEPS_MS) ||
    (audioAge(scope) > 0 && filesOf(scope.context.call).length > 0),
  isEarly: ({ context, event }: Scope) => timeOf({ context, event }) < context.plan.notBefore,
  isTooLate: (scope: Scope) => scope.context.dial.attempt > 0 && isOver(scope),
  isMissed: (scope: Scope) => scope.context.dial.attempt === 0 && isOver(scope),
  isPastUntil: isOver,
  hasTurn: ({ context }: Scope) => context.turn !== undefined,
  needsTurn: ({ context }: Scope) => context.turn !== undefined && context.turn.stage !== 'granted',
  /** The grant in hand is taken back. */
  isRevoked: (scope: Scope) =>
    scope.context.turn?.stage === 'granted' && isAboutThisAsk(scope) && questionOf(scope.event) === undefined,
  isAboutThisAsk,
  /** Admission answers an earlier question. */
  isLateAnswer: ({ context, event }: Scope) => {
    const question = questionOf(event);
    return question !== undefined && question !== context.dial.question;
  },
  isTried: ({ context }: Scope) => context.dial.attempt > 0,

  // legs
  isCallee: ({ context, event }: Scope) => context.dial.leg > 0 && legOf(event) === context.dial.leg,
  isDoubtful: ({ context, event }: Scope) =>
    event.type === 'originateFailed' && legOf(event) === context.dial.leg && DOUBTFUL.includes(event.reason),
  isCalleeUp: ({ context, event }: Scope) =>
    event.type === 'legFound' && event.leg === context.dial.leg && event.state === 'up',
  isCalleeInTime: isFoundInTime,
  /** Found by an adoption: who dialled it may have died before the ringing was heard. */
  isCalleeRinging: (scope: Scope) =>
    isFoundInTime(scope) && scope.event.type === 'legFound' && scope.event.state === 'ringing',
  /** No telephone rang, and the moment to dial has passed. */
  isDialledTooLate,
  isTriedTooLate: (scope: Scope) => isDialledTooLate(scope) && (scope.context.dial.tries ?? []).length > 0,
  wasNeverDialled: isNeverDialled,
  mayReroute,
  isUnknownCallee: ({ context, event }: Scope) =>
    event.type === 'outcomeUnknown' && event.effect === 'originate' && legOf(event) === context.dial.leg,
  isUnknownSecond: ({ context, event }: Scope) =>
    event.type === 'outcomeUnknown' &&
    event.effect === 'originate' &&
    secondLeg(context, legOf(event)) !== undefined,
  isSecond: ({ context, event }: Scope) => secondLeg(context, legOf(event)) !== undefined,
  isSecondUp: ({ context, event }: Scope) =>
    event.type === 'legFound' && event.state === 'up' && secondLeg(context, event.leg) !== undefined,
  /** A second leg answers that is not needed any more. */
  isSpare: ({ context, event }: Scope) => {
    const leg = legOf(event);
    const isUp = event.type === 'answered' || (event.type === 'legFound' && event.state === 'up');
    return isUp && leg !== secondOf(context).partner && secondLeg(context, leg) !== undefined;
  },
  isPartner: ({ context, event }: Scope) =>
    secondOf(context).partner > 0 && legOf(event) === secondOf(context).partner,
  /** A leg of ours that we had given up shows signs of life. */
  isStray: ({ context, event }: Scope) => {
    const leg = legOf(event);
    return leg > 0 && leg <= context.lastLeg && !liveLegs(context).includes(leg);
  },
  isAllClosed: ({ context }: Scope) =>
    context.dial.leg === 0 && secondOf(context).legs.length === 0 && context.recording?.open !== true,
  isOnlyFileOpen: ({ context }: Scope) =>
    context.dial.leg === 0 && secondOf(context).legs.length === 0 && context.recording?.open === true,

  // the conversation
  /** The call has something to say for this cue. */
  has: ({ context }: Scope, cue: Cue) => has(context, cue),
  isMachine: ({ context, event }: Scope) =>
    event.type === 'machineDetected' && event.leg === context.dial.leg && event.result === 'machine',
  asks: ({ context }: Scope) => asks(context.call),
  recordsAnswer: ({ context }: Scope) => context.call.mode === 'recordAnswer',
  isForAgent: ({ context }: Scope) => context.call.mode === 'agent' && context.call.transfer !== undefined,
  isPlayback: ({ context, event }: Scope) => {
    if (legOf(event) !== context.dial.leg) return false;
    const named =
      'playback' in event ? event.playback : 'params' in event && event.params['playback' as never];
    return named === playbackOf(context);
  },
  isRecording: ({ context, event }: Scope) => {
    const named =
      'recording' in event ? event.recording : 'params' in event && event.params['recording' as never];
    return context.recording?.open === true && named === context.recording.name;
  },
  /** A digit of the callee with this meaning. */
  means: ({ context, event }: Scope, verdict: Verdict) =>
    event.type === 'digitReceived' &&
    event.leg === context.dial.leg &&
    judge(context, event.digit) === verdict,
  /** The wait for digits being over means this. */
  silenceMeans: ({ context }: Scope, verdict: Verdict) => judgeSilence(context) === verdict,
  /** There is a notice for what was missing. */
  hasNotice: ({ context }: Scope) => has(context, context.talk.cue),
  isToldTwice: ({ context }: Scope) => context.talk.misses >= 2,
  /** A question waits once more for its answer, no oftener. */
  isMissedForGood: ({ context }: Scope) => context.call.mode === 'question' && context.talk.misses >= 2,
  /** The digits were wrong once, and nothing is said to that. */
  isAskedAgain: ({ context }: Scope) => context.call.mode === 'validate' && context.talk.misses < 2,
  isHeardAgain: ({ context }: Scope) => context.call.mode === 'question',
  /** A question has a second part. */
  asksAgain: ({ context }: Scope) => (context.call.secondAnswer ?? 0) > 0,
  transfers: ({ context }: Scope) => context.call.transfer !== undefined,
  announcesTransfer: ({ context }: Scope) =>
    context.call.transfer !== undefined && has(context, 'beforeTransfer'),
  saysNobodyFree: ({ context }: Scope) => context.call.prompts.nobodyFree !== undefined,

  // the second leg
  isLastSecond: ({ context, event }: Scope) =>
    legOf(event) === context.lastLeg && secondLeg(context, legOf(event)) !== undefined,
  /** The caller is held to the end of `fifolim`, also when it is too short for another dial. */
  canRedial: ({ context, event }: Scope) =>
    context.call.waitInLine &&
    legOf(event) === context.lastLeg &&
    timeOf({ context, event }) < secondOf(context).until,
  /** The answer to an earlier question. */
  isFormerTarget: ({ context, event }: Scope) => {
    const question = questionOf(event);
    return question !== undefined && question !== secondOf(context).question;
  },
  isEndpoint: ({ event }: Scope) => event.type === 'targetResolved' && event.how === 'endpoint',
  isThisBridge: ({ context, event }: Scope) =>
    event.type === 'bridgeFailed' && event.params.legs.includes(secondOf(context).partner),
  isThisLine: ({ context, event }: Scope) =>
    'line' in event && event.line > 0 && event.line === secondOf(context).line,
  sendsDigits: ({ context }: Scope) => context.call.sendDigits !== undefined,

  // afterwards
  mayRetry: (scope: Scope) => mayRetry(scope.context) && !isOver(scope),
  mayTryNextNumber: (scope: Scope) => mayTryNextNumber(scope.context) && !isOver(scope),
  wantsSms: ({ context }: Scope) => wantsSms(context),
};
