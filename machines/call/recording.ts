/** Recording (spec 4.2 `rec`, `startrec`): from the answer, from the confirmation, or from the bridge. */
import type { CallContext, CallActionArgs } from './context.ts';
import type { CallEffectRequest } from './hangUpAndQueueEffects.ts';

/** When a recording may begin; `answer` is that of type 22. */
export type RecordingStartMoment = 'ini' | 'conf' | 'pa' | 'answer';

/** A call has one recording at most. */
const NAME = 'r1';
/** Longest answer of type 22 when `rec` says nothing. */
const ANSWER_SECONDS = 60;

const begins = ({ call, recording }: CallContext, moment: RecordingStartMoment): boolean => {
  if (recording) return false;
  if (call.mode === 'recordAnswer') return moment === 'answer';
  return call.recording?.from === moment;
};

/** How long is recorded at most, seconds. */
export const recordingLimitOfCall = ({ call }: CallContext): number =>
  call.recording?.maxSeconds ?? ANSWER_SECONDS;

/** The request, when this is the moment. The answer of type 22 begins with a beep and ends with `#`. */
export const requestRecordingStart = (
  { context }: CallActionArgs,
  moment: RecordingStartMoment,
): CallEffectRequest[] => {
  if (!begins(context, moment)) return [];
  const base = { leg: context.dial.leg, recording: NAME, maxSeconds: recordingLimitOfCall(context) };
  const params =
    moment === 'answer'
      ? { ...base, scope: 'leg' as const, beep: true, endOnDigit: '#' }
      : { ...base, scope: 'call' as const, beep: false };
  return [{ type: 'record', params }];
};

export const assignRecordingStarted = (
  { context }: CallActionArgs,
  moment: RecordingStartMoment,
): Partial<CallContext> =>
  begins(context, moment) ? { recording: { name: NAME, open: true, media: '', seconds: 0 } } : {};

/** The answer went on for too long without a word from the carrier. */
export const requestRecordingStop = ({ context }: CallActionArgs): CallEffectRequest[] =>
  context.recording?.open
    ? [{ type: 'stopRecord', params: { leg: context.dial.leg, recording: context.recording.name } }]
    : [];
