/**
 * How long a call waits, by name; the name is the timer's id. Milliseconds.
 * The `…Guard`s end a wait whose fact was lost: no state can keep a call for ever.
 */
import { secondLegInContext, callEventTime, type CallContext, type CallActionArgs } from './context.ts';
import { currentPromptDurationSeconds } from './prompts.ts';
import { recordingLimitOfCall } from './recording.ts';

const SECOND = 1_000;

/** Time a fact may take from the carrier to us when all is well. */
const SLACK = 15 * SECOND;

const until = (moment: (context: CallContext) => number) => (scope: CallActionArgs) =>
  Math.max(0, moment(scope.context) - callEventTime(scope));

const seconds = (length: (context: CallContext) => number) => (scope: CallActionArgs) =>
  length(scope.context) * SECOND;

export const callMachineDelays = {
  /** The given date (`block`, `repeat`). */
  notBefore: until((context) => context.plan.notBefore),
  /** The end of a postponement, or of the pause before a retry. */
  resume: until((context) => context.plan.resumeAt),
  /** `dtime`: the wait for digits. */
  digits: seconds((context) => context.call.digits.waitSeconds),
  /** `fifolim`: the longest wait for a second leg. */
  line: until((context) => secondLegInContext(context).until),
  /** Between two tries of a second leg that is not a line. */
  redial: () => 5 * SECOND,
  /** `senddtmftime`. */
  sendDigits: seconds((context) => context.call.sendDigits?.afterSeconds ?? 0),
  /** `timelimit`. */
  timeLimit: seconds((context) => context.call.limitSeconds),

  audioGuard: () => 60 * SECOND,
  turnGuard: () => 600 * SECOND,
  clearanceGuard: () => 300 * SECOND,
  /** The callee waits for nothing: no telephone rang. But the caller of a single call does. */
  rerouteGuard: () => 5 * SECOND,
  ringGuard: (scope: CallActionArgs) => scope.context.call.ringSeconds * SECOND + SLACK,
  checkGuard: () => SLACK,
  machineGuard: () => 60 * SECOND,
  playGuard: (scope: CallActionArgs) => currentPromptDurationSeconds(scope.context) * SECOND + SLACK,
  recordGuard: (scope: CallActionArgs) => recordingLimitOfCall(scope.context) * SECOND + 2 * SLACK,
  targetGuard: () => SLACK,
  /** A talk is looked at now and then: its end may have been lost. */
  talkGuard: () => 300 * SECOND,
  closeGuard: () => SLACK,
  fileGuard: () => 60 * SECOND,
  smsGuard: () => 60 * SECOND,
} satisfies Record<string, (scope: CallActionArgs) => number>;
