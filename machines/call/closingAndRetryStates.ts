/** After the conversation, or instead of it: legs go down, files come in, a retry, an SMS, the end. */
import { lastDialledNumber } from './numbers.ts';
import {
  adoptLegsAction,
  tellCallbackEventAction,
  recordingFinishedActions,
  hangUpEventLegAction,
  noteCampaignOverTransition,
  reachMilestoneAction,
  noteCampaignTurnStageAction,
} from './sharedActions.ts';
import { callMachineSetup } from './setup.ts';

/** Everything goes down; waits until it is. A leg that answers only now is ended again. */
export const closingLegsState = callMachineSetup.createStateConfig({
  tags: ['adoptable'],
  entry: ['closeLegs', 'noteLineLeft'],
  always: [
    { guard: 'isAllClosed', target: 'settling' },
    { guard: 'isOnlyFileOpen', target: 'filing' },
  ],
  on: {
    hungUp: [
      { guard: 'isCallee', actions: 'noteEnded' },
      { guard: 'isSecond', actions: 'noteSecondGone' },
    ],
    originateFailed: [
      { guard: 'isCallee', actions: 'noteEnded' },
      { guard: 'isSecond', actions: 'noteSecondGone' },
    ],
    answered: [
      { guard: 'isCallee', actions: hangUpEventLegAction },
      { guard: 'isSecond', actions: hangUpEventLegAction },
    ],
    takenOver: { actions: [adoptLegsAction, 'closeLegs'] },
    cancel: { actions: 'noteStopped' },
    campaignOver: noteCampaignOverTransition,
  },
  after: { closeGuard: { actions: 'noteGivenUp' } },
});

/** The legs are gone; the recording is on its way to the media store. */
export const awaitingRecordingState = callMachineSetup.createStateConfig({
  on: {
    recorded: { guard: 'isRecording', target: 'settling', actions: [...recordingFinishedActions] },
    recordFailed: { guard: 'isRecording', target: 'settling', actions: 'noteRecorded' },
    cancel: { actions: 'noteStopped' },
    campaignOver: noteCampaignOverTransition,
  },
  after: { fileGuard: { target: 'settling', actions: 'noteRecorded' } },
});

/** What follows from how it ended? */
export const afterAttemptDecisionState = callMachineSetup.createStateConfig({
  entry: ['leaveNumber', 'restIfUnwanted'],
  always: [
    {
      guard: 'mayTryNextNumber',
      target: 'due',
      actions: [
        'noteRetry',
        'tellAttemptEnded',
        noteCampaignTurnStageAction('idle'),
        tellCallbackEventAction('retry'),
      ],
    },
    {
      guard: 'mayRetry',
      target: 'retrying',
      actions: [
        'noteRetry',
        'tellAttemptEnded',
        noteCampaignTurnStageAction('idle'),
        tellCallbackEventAction('retry'),
      ],
    },
    { guard: 'wantsSms', target: 'texting' },
    { target: 'ended' },
  ],
});

/** Waits for the next attempt. */
export const awaitingRetryState = callMachineSetup.createStateConfig({
  on: { retryNow: { target: 'due', actions: 'noteDatesLifted' } },
  after: { resume: 'due' },
});

/** The SMS that follows the call. It is sent once, or perhaps not at all, never twice. */
export const sendingFollowUpSmsState = callMachineSetup.createStateConfig({
  entry: {
    type: 'sendSms',
    params: ({ context }) => ({ to: lastDialledNumber(context), text: context.call.sms?.text ?? '' }),
  },
  on: {
    smsAccepted: { target: 'ended', actions: ['noteSms', tellCallbackEventAction('sms')] },
    sendSmsFailed: { target: 'ended', actions: 'noteSmsMissed' },
    outcomeUnknown: { target: 'ended', actions: 'noteSmsMissed' },
    cancel: {},
    campaignOver: {},
  },
  after: { smsGuard: { target: 'ended', actions: 'noteSmsMissed' } },
});

/** Nothing is heard any more. */
export const callEndedState = callMachineSetup.createStateConfig({
  type: 'final',
  entry: ['tellEnded', reachMilestoneAction('ended'), 'tellFinal'],
  on: { '*': {} },
});
