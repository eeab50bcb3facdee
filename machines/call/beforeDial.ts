/** Before a dial: audio, dates, the turn in a campaign, clearance. */
import type { CallInput } from './input.ts';
import { nextAttemptClearanceParams } from './startAttemptsAndLegs.ts';
import { collectPromptFiles, collectPromptTexts } from './prompts.ts';
import {
  giveBackCampaignTurnActions,
  tellCallbackEventAction,
  originateCalleeAction,
  reachMilestoneAction,
  noteCampaignTurnStageAction,
  withdrawClearanceAction,
} from './sharedActions.ts';
import { callMachineSetup } from './setup.ts';

/** The first question: is there something to say, and is it to be spoken? */
export const callStartState = callMachineSetup.createStateConfig({
  entry: tellCallbackEventAction('queued'),
  always: [
    // No audio is to be made, so none is waited for.
    { guard: 'isSilent', target: 'settling', actions: ['noteSilent', reachMilestoneAction('prepared')] },
    { guard: 'needsAudio', target: 'preparing' },
    { target: 'due', actions: reachMilestoneAction('prepared') },
  ],
});

const audioOf = (call: CallInput) => {
  const files = collectPromptFiles(call);
  return { texts: collectPromptTexts(call), ...(files.length > 0 && { files }) };
};

/** Texts become audio, and files are looked for. */
export const preparingAudioState = callMachineSetup.createStateConfig({
  entry: ['noteAudioAsked', { type: 'prepareAudio', params: ({ context: { call } }) => audioOf(call) }],
  on: {
    audioPrepared: {
      guard: 'isAudioComplete',
      target: 'due',
      actions: ['noteAudio', reachMilestoneAction('prepared')],
    },
    prepareAudioFailed: { target: 'settling', actions: ['noteAudioFailed', 'refuse'] },
  },
  after: {
    audioGuard: [
      { guard: 'isAskedOut', target: 'settling', actions: ['noteAudioFailed', 'refuse'] },
      { target: 'preparing', reenter: true },
    ],
  },
});

/** May it dial now, as far as dates go? */
export const dialDateCheckState = callMachineSetup.createStateConfig({
  always: [
    { guard: 'isTooLate', target: 'settling' },
    { guard: 'isMissedForDays', target: 'settling', actions: 'noteMissedForDays' },
    {
      guard: 'isMissed',
      target: 'scheduled',
      actions: ['noteTimetableRolled', ...giveBackCampaignTurnActions],
    },
    { guard: 'isEarly', target: 'scheduled', actions: ['noteWait', ...giveBackCampaignTurnActions] },
    { guard: 'isAudioStale', target: 'preparing' },
    { guard: 'needsTurn', target: 'awaitingTurn', actions: 'noteAsk' },
    { target: 'clearing', actions: 'noteQuestion' },
  ],
});

/** Waits for its date. */
export const awaitingScheduledDateState = callMachineSetup.createStateConfig({
  on: { retryNow: { target: 'due', actions: 'noteDatesLifted' } },
  after: { notBefore: 'due' },
});

/** A call of a campaign asks for every attempt. Should a word be lost, it asks the same once more. */
export const awaitingCampaignTurnState = callMachineSetup.createStateConfig({
  entry: ['tellWanted', noteCampaignTurnStageAction('wanted')],
  on: {
    attemptGranted: {
      guard: 'isAboutThisAsk',
      target: 'due',
      actions: noteCampaignTurnStageAction('granted'),
    },
    attemptDeferred: { target: 'deferred', actions: 'noteDeferred' },
  },
  after: { turnGuard: { target: 'awaitingTurn', reenter: true } },
});

/** The campaign said when to ask again. Its newest word counts: it may grant before that, or defer anew. */
export const awaitingDeferredCampaignTurnState = callMachineSetup.createStateConfig({
  on: {
    attemptGranted: {
      guard: 'isAboutThisAsk',
      target: 'due',
      actions: noteCampaignTurnStageAction('granted'),
    },
    attemptDeferred: { target: 'deferred', actions: 'noteDeferred', reenter: true },
    retryNow: { target: 'due', actions: 'noteDatesLifted' },
  },
  after: { resume: 'due' },
});

const putOff = { target: 'postponed', actions: ['notePostponed', ...giveBackCampaignTurnActions] } as const;

/**
 * Asks for this attempt: lists, limits, windows, capacity. Call admission lives in a process, so a new process is asked
 * anew; a call of a campaign asks that first. An answer to an earlier question says nothing of this one: it may be
 * about another number.
 */
export const awaitingDialClearanceState = callMachineSetup.createStateConfig({
  tags: ['adoptable'],
  entry: { type: 'requestClearance', params: nextAttemptClearanceParams },
  on: {
    cleared: [
      { guard: 'isLateAnswer' },
      {
        guard: 'isPastUntil',
        target: 'due',
        actions: [withdrawClearanceAction, ...giveBackCampaignTurnActions],
      },
      {
        guard: 'hasTurn',
        target: 'dialing',
        actions: [
          'noteAttempt',
          'takeNumber',
          noteCampaignTurnStageAction('dialling'),
          originateCalleeAction,
          reachMilestoneAction('dialed'),
          tellCallbackEventAction('dialing'),
        ],
      },
      {
        target: 'dialing',
        actions: [
          'noteAttempt',
          originateCalleeAction,
          reachMilestoneAction('dialed'),
          tellCallbackEventAction('dialing'),
        ],
      },
    ],
    refused: [
      { guard: 'isLateAnswer' },
      { target: 'settling', actions: ['noteRefused', tellCallbackEventAction('blocked')] },
    ],
    postponed: [{ guard: 'isLateAnswer' }, putOff],
    requestClearanceFailed: [{ guard: 'isLateAnswer' }, putOff],
    claimRefused: {
      target: 'postponed',
      actions: [withdrawClearanceAction, 'noteNumberBusy', ...giveBackCampaignTurnActions],
    },
    attemptRevoked: [
      { guard: 'isLateAnswer' },
      { guard: 'isAboutThisAsk', target: 'awaitingTurn', actions: [withdrawClearanceAction, 'noteAsk'] },
    ],
    campaignOver: [
      { guard: 'isTried', target: 'settling', actions: [withdrawClearanceAction, 'noteOver'] },
      { target: 'settling', actions: [withdrawClearanceAction, 'noteOverUndialed'] },
    ],
    // Its place in the line before the carrier is another call's at once.
    cancel: { target: 'settling', actions: [withdrawClearanceAction, 'noteCancelledUndialed'] },
    // A word of the campaign may be on its way: the grant is asked for anew, for it may have been called back.
    takenOver: [
      { guard: 'hasTurn', target: 'awaitingTurn', actions: 'noteAsk' },
      { target: 'clearing', reenter: true },
    ],
  },
  after: { clearanceGuard: { target: 'clearing', reenter: true } },
});

/** Not now: a window, a holiday, no capacity, another call to the number. */
export const dialPostponedState = callMachineSetup.createStateConfig({
  on: { retryNow: { target: 'due', actions: 'noteDatesLifted' } },
  after: { resume: 'due' },
});
