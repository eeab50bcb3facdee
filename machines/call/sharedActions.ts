/** Effects that several states ask for in the same way. */
import type { CallEvent } from '../contracts/callback.ts';
import { legOf, liveLegs, secondOf, type Cue, type Turn, type Scope } from './context.ts';
import { calleeParams, secondParams } from './legRequests.ts';
import { playbackOf, promptsOf } from './prompts.ts';
import type { RecordingMoment } from './recording.ts';

export const reach = (milestone: string) => ({ type: 'reach', params: { milestone } }) as const;

export const originateCallee = { type: 'originate', params: calleeParams } as const;
export const originateSecond = { type: 'originate', params: secondParams } as const;

/** The callee hears the current cue. */
export const playCue = {
  type: 'play',
  params: ({ context }: Scope) => ({
    leg: context.dial.leg,
    playback: playbackOf(context),
    prompts: promptsOf(context),
  }),
} as const;

export const stopCue = {
  type: 'stopPlay',
  params: ({ context }: Scope) => ({ leg: context.dial.leg, playback: playbackOf(context) }),
} as const;

/** The leg this fact is about is not wanted. */
export const hangUpThis = {
  type: 'hangUp',
  params: ({ event }: Scope) => ({ leg: legOf(event), reason: 'normal' as const }),
} as const;

export const adoptLegs = {
  type: 'adopt',
  params: ({ context }: Scope) => {
    const seconds = secondOf(context).legs.filter(({ byTrunk }) => byTrunk);
    return {
      legs: liveLegs(context),
      ...(context.dial.leg > 0 && { trunk: context.dial.route }),
      ...(seconds.length > 0 && { seconds: seconds.map(({ leg }) => leg) }),
    };
  },
} as const;

export const lookUpThis = { type: 'lookUp', params: ({ event }: Scope) => ({ leg: legOf(event) }) } as const;

/** Call admission need not go on: no leg is dialled. */
export const withdraw = { type: 'withdrawClearance', params: {} } as const;

/** A guard with its param, short enough to stand on a transition's line. */
export const has = (cue: Cue) => ({ type: 'has', params: cue }) as const;

/** Why the call will end; the first reason stands. */
export const because = (reason: string) => ({ type: 'noteReason', params: reason }) as const;

/** A campaign call comes to another stage of its turn. */
export const turn = (stage: Turn['stage']) => ({ type: 'noteTurn', params: stage }) as const;

/** Posts this event to the call's callback address, where its wish asks for it. */
export const event = (name: CallEvent) => ({ type: 'tellEvent', params: name }) as const;

/** The recording is at an end; when its file is there, that is told. */
export const filed = ['noteRecorded', 'tellRecording'] as const;

/** The grant goes back: no dial follows now. */
export const dropTurn = ['tellDropped', turn('idle')] as const;

/** The campaign is over while something is up or dialled: that finishes, and nothing follows. */
export const noMoreAttempts = { actions: 'noteOver' } as const;

/** The recording begins, when this is its moment. */
export const record = (moment: RecordingMoment) =>
  [
    { type: 'startRecording', params: moment },
    { type: 'noteRecording', params: moment },
  ] as const;
