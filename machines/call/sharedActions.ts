/** Effects that several states ask for in the same way. */
import type { CallCallbackEvent } from '../contracts/callback.ts';
import {
  eventLegNumber,
  liveLegNumbers,
  secondLegInContext,
  type PlayingPromptKind,
  type CallTurnInCampaign,
  type CallActionArgs,
} from './context.ts';
import { originateCalleeParams, originateSecondLegParams } from './startAttemptsAndLegs.ts';
import { currentPlaybackId, currentCuePrompts } from './prompts.ts';
import type { RecordingStartMoment } from './recording.ts';

export const reachMilestoneAction = (milestone: string) =>
  ({ type: 'reach', params: { milestone } }) as const;

export const originateCalleeAction = { type: 'originate', params: originateCalleeParams } as const;
export const originateSecondLegAction = { type: 'originate', params: originateSecondLegParams } as const;

/** The callee hears the current cue. */
export const playCurrentPromptAction = {
  type: 'play',
  params: ({ context }: CallActionArgs) => ({
    leg: context.dial.leg,
    playback: currentPlaybackId(context),
    prompts: currentCuePrompts(context),
  }),
} as const;

export const stopCueAction = {
  type: 'stopPlay',
  params: ({ context }: CallActionArgs) => ({ leg: context.dial.leg, playback: currentPlaybackId(context) }),
} as const;

/** The leg this fact is about is not wanted. */
export const hangUpEventLegAction = {
  type: 'hangUp',
  params: ({ event }: CallActionArgs) => ({ leg: eventLegNumber(event), reason: 'normal' as const }),
} as const;

export const adoptLegsAction = {
  type: 'adopt',
  params: ({ context }: CallActionArgs) => {
    const seconds = secondLegInContext(context).legs.filter(({ byTrunk }) => byTrunk);
    return {
      legs: liveLegNumbers(context),
      ...(context.dial.leg > 0 && { trunk: context.dial.route }),
      ...(seconds.length > 0 && { seconds: seconds.map(({ leg }) => leg) }),
    };
  },
} as const;

export const requestEventLegLookupAction = {
  type: 'lookUp',
  params: ({ event }: CallActionArgs) => ({ leg: eventLegNumber(event) }),
} as const;

/** Call admission need not go on: no leg is dialled. */
export const withdrawClearanceAction = {
  type: 'withdrawClearance',
  params: ({ context: { dial } }: CallActionArgs) => ({
    ...(dial.question !== undefined && { question: dial.question }),
  }),
} as const;

/** A guard with its param, short enough to stand on a transition's line. */
export const hasPromptGuard = (cue: PlayingPromptKind) => ({ type: 'has', params: cue }) as const;

/** Why the call will end; the first reason stands. */
export const noteEndReasonAction = (reason: string) => ({ type: 'noteReason', params: reason }) as const;

/** A campaign call comes to another stage of its turn. */
export const noteCampaignTurnStageAction = (stage: CallTurnInCampaign['stage']) =>
  ({ type: 'noteTurn', params: stage }) as const;

/** Posts this event to the call's callback address, where its wish asks for it. */
export const tellCallbackEventAction = (name: CallCallbackEvent) =>
  ({ type: 'tellEvent', params: name }) as const;

/** The recording is at an end; when its file is there, that is told. */
export const recordingFinishedActions = ['noteRecorded', 'tellRecording'] as const;

/** The grant goes back: no dial follows now. */
export const giveBackCampaignTurnActions = ['tellDropped', noteCampaignTurnStageAction('idle')] as const;

/** The campaign is over while something is up or dialled: that finishes, and nothing follows. */
export const noteCampaignOverTransition = { actions: 'noteOver' } as const;

/** The recording begins, when this is its moment. */
export const startRecordingActions = (moment: RecordingStartMoment) =>
  [
    { type: 'startRecording', params: moment },
    { type: 'noteRecording', params: moment },
  ] as const;
