/** Before a dial: audio, dates, the turn in a campaign, clearance. */
import type { CallInput } from './input.ts';
import { clearanceParams } from './legRequests.ts';
import { filesOf, textsOf } from './prompts.ts';
import { dropTurn, event, originateCallee, reach, turn, withdraw } from './sharedActions.ts';
import { machineSetup } from './setup.ts';

/** The first question: is there something to say, and is it to be spoken? */
export const born = machineSetup.createStateConfig({
  entry: event('queued'),
  always: [
    // No audio is to be made, so none is waited for.
    { guard: 'isSilent', target: 'settling', actions: ['noteSilent', reach('prepared')] },
    { guard: 'needsAudio', target: 'preparing' },
    { target: 'due', actions: reach('prepared') },
  ],
});

const audioOf = (call: CallInput) => {
  const files = filesOf(call);
  return { texts: textsOf(call), ...(files.length > 0 && { files }) };
};

/** Texts become audio, and files are looked for. */
export const preparing = machineSetup.createStateConfig({
  entry: ['noteAudioAsked', { type: 'prepareAudio', params: ({ context: { call } }) => audioOf(call) }],
  on: {
    audioPrepared: { guard: 'isAudioComplete', target: 'due', actions: ['noteAudio', reach('prepared')] },
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
export const due = machineSetup.createStateConfig({
  always: [
    { guard: 'isTooLate', target: 'settling' },
    { guard: 'isMissed', target: 'scheduled', actions: ['noteTimetableRolled', ...dropTurn] },
    { guard: 'isEarly', target: 'scheduled', actions: ['noteWait', ...dropTurn] },
    { guard: 'isAudioStale', target: 'preparing' },
    { guard: 'needsTurn', target: 'awaitingTurn', actions: 'noteAsk' },
    { target: 'clearing', actions: 'noteQuestion' },
  ],
});

/** Waits for its date. */
export const scheduled = machineSetup.createStateConfig({
  on: { retryNow: { target: 'due', actions: 'noteDatesLifted' } },
  after: { notBefore: 'due' },
});

/** A call of a campaign asks for every attempt. Should a word be lost, it asks the same once more. */
export const awaitingTurn = machineSetup.createStateConfig({
  entry: ['tellWanted', turn('wanted')],
  on: {
    attemptGranted: { guard: 'isAboutThisAsk', target: 'due', actions: turn('granted') },
    attemptDeferred: { target: 'deferred', actions: 'noteDeferred' },
  },
  after: { turnGuard: { target: 'awaitingTurn', reenter: true } },
});

/** The campaign said when to ask again. Its newest word counts: it may grant before that, or defer anew. */
export const deferred = machineSetup.createStateConfig({
  on: {
    attemptGranted: { guard: 'isAboutThisAsk', target: 'due', actions: turn('granted') },
    attemptDeferred: { target: 'deferred', actions: 'noteDeferred', reenter: true },
    retryNow: { target: 'due', actions: 'noteDatesLifted' },
  },
  after: { resume: 'due' },
});

const putOff = { target: 'postponed', actions: ['notePostponed', ...dropTurn] } as const;

/**
 * Asks for this attempt: lists, limits, windows, capacity. Call admission lives in a process, so a new process is asked
 * anew; a call of a campaign asks that first. An answer to an earlier question says nothing of this one: it may be
 * about another number.
 */
export const clearing = machineSetup.createStateConfig({
  tags: ['adoptable'],
  entry: { type: 'requestClearance', params: clearanceParams },
  on: {
    cleared: [
      { guard: 'isLateAnswer' },
      { guard: 'isPastUntil', target: 'due', actions: dropTurn },
      {
        guard: 'hasTurn',
        target: 'dialing',
        actions: [
          'noteAttempt',
          'takeNumber',
          turn('dialling'),
          originateCallee,
          reach('dialed'),
          event('dialing'),
        ],
      },
      {
        target: 'dialing',
        actions: ['noteAttempt', originateCallee, reach('dialed'), event('dialing')],
      },
    ],
    refused: [{ guard: 'isLateAnswer' }, { target: 'settling', actions: ['noteRefused', event('blocked')] }],
    postponed: [{ guard: 'isLateAnswer' }, putOff],
    requestClearanceFailed: [{ guard: 'isLateAnswer' }, putOff],
    claimRefused: { target: 'postponed', actions: [withdraw, 'noteNumberBusy', ...dropTurn] },
    attemptRevoked: [
      { guard: 'isLateAnswer' },
      { guard: 'isAboutThisAsk', target: 'awaitingTurn', actions: [withdraw, 'noteAsk'] },
    ],
    campaignOver: [
      { guard: 'isTried', target: 'settling', actions: [withdraw, 'noteOver'] },
      { target: 'settling', actions: [withdraw, 'noteOverUndialed'] },
    ],
    // A word of the campaign may be on its way: the grant is asked for anew, for it may have been called back.
    takenOver: [
      { guard: 'hasTurn', target: 'awaitingTurn', actions: 'noteAsk' },
      { target: 'clearing', reenter: true },
    ],
  },
  after: { clearanceGuard: { target: 'clearing', reenter: true } },
});

/** Not now: a window, a holiday, no capacity, another call to the number. */
export const postponed = machineSetup.createStateConfig({
  on: { retryNow: { target: 'due', actions: 'noteDatesLifted' } },
  after: { resume: 'due' },
});
