/** After the conversation, or instead of it: legs go down, files come in, a retry, an SMS, the end. */
import { numberDialled } from './numbers.ts';
import { adoptLegs, event, filed, hangUpThis, noMoreAttempts, reach, turn } from './sharedActions.ts';
import { machineSetup } from './setup.ts';

/** Everything goes down; waits until it is. A leg that answers only now is ended again. */
export const closing = machineSetup.createStateConfig({
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
      { guard: 'isCallee', actions: hangUpThis },
      { guard: 'isSecond', actions: hangUpThis },
    ],
    takenOver: { actions: [adoptLegs, 'closeLegs'] },
    cancel: { actions: 'noteStopped' },
    campaignOver: noMoreAttempts,
  },
  after: { closeGuard: { actions: 'noteGivenUp' } },
});

/** The legs are gone; the recording is on its way to the media store. */
export const filing = machineSetup.createStateConfig({
  on: {
    recorded: { guard: 'isRecording', target: 'settling', actions: [...filed] },
    recordFailed: { guard: 'isRecording', target: 'settling', actions: 'noteRecorded' },
    cancel: { actions: 'noteStopped' },
    campaignOver: noMoreAttempts,
  },
  after: { fileGuard: { target: 'settling', actions: 'noteRecorded' } },
});

/** What follows from how it ended? */
export const settling = machineSetup.createStateConfig({
  entry: ['leaveNumber', 'restIfUnwanted'],
  always: [
    {
      guard: 'mayTryNextNumber',
      target: 'due',
      actions: ['noteRetry', 'tellAttemptEnded', turn('idle'), event('retry')],
    },
    {
      guard: 'mayRetry',
      target: 'retrying',
      actions: ['noteRetry', 'tellAttemptEnded', turn('idle'), event('retry')],
    },
    { guard: 'wantsSms', target: 'texting' },
    { target: 'ended' },
  ],
});

/** Waits for the next attempt. */
export const retrying = machineSetup.createStateConfig({
  on: { retryNow: { target: 'due', actions: 'noteDatesLifted' } },
  after: { resume: 'due' },
});

/** The SMS that follows the call. It is sent once, or perhaps not at all, never twice. */
export const texting = machineSetup.createStateConfig({
  entry: {
    type: 'sendSms',
    params: ({ context }) => ({ to: numberDialled(context), text: context.call.sms?.text ?? '' }),
  },
  on: {
    smsAccepted: { target: 'ended', actions: ['noteSms', event('sms')] },
    sendSmsFailed: { target: 'ended', actions: 'noteSmsMissed' },
    outcomeUnknown: { target: 'ended', actions: 'noteSmsMissed' },
    cancel: {},
    campaignOver: {},
  },
  after: { smsGuard: { target: 'ended', actions: 'noteSmsMissed' } },
});

/** Nothing is heard any more. */
export const ended = machineSetup.createStateConfig({
  type: 'final',
  entry: ['tellEnded', reach('ended'), 'tellFinal'],
  on: { '*': {} },
});
