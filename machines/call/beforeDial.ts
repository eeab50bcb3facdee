/** Before a dial: audio, dates, clearance. */
import { clearanceParams } from './legs.ts';
import { textsOf } from './prompts.ts';
import { originateCallee, reach } from './states.ts';
import { words } from './words.ts';

/** The first question: is there something to speak? */
export const born = words.createStateConfig({
  always: [
    { guard: 'needsAudio', target: 'preparing' },
    { target: 'due', actions: reach('prepared') },
  ],
});

/** Texts become audio. */
export const preparing = words.createStateConfig({
  entry: [
    'noteAudioAsked',
    { type: 'prepareAudio', params: ({ context }) => ({ texts: textsOf(context.call) }) },
  ],
  on: {
    audioPrepared: { guard: 'isAudioComplete', target: 'due', actions: ['noteAudio', reach('prepared')] },
    prepareAudioFailed: { target: 'settling', actions: 'noteAudioFailed' },
  },
  after: {
    audioGuard: [
      { guard: 'isAskedOut', target: 'settling', actions: 'noteAudioFailed' },
      { target: 'preparing', reenter: true },
    ],
  },
});

/** May it dial now, as far as dates go? */
export const due = words.createStateConfig({
  always: [
    { guard: 'isTooLate', target: 'settling' },
    { guard: 'isMissed', target: 'scheduled', actions: 'noteTimetableRolled' },
    { guard: 'isEarly', target: 'scheduled', actions: 'noteWait' },
    { guard: 'isAudioStale', target: 'preparing' },
    { target: 'clearing' },
  ],
});

/** Waits for its date. */
export const scheduled = words.createStateConfig({
  on: { retryNow: { target: 'due', actions: 'noteDatesLifted' } },
  after: { notBefore: 'due' },
});

/** Asks for this attempt: lists, limits, windows, capacity. The desk lives in a process, so a new process is asked anew. */
export const clearing = words.createStateConfig({
  tags: ['adoptable'],
  entry: { type: 'requestClearance', params: clearanceParams },
  on: {
    cleared: [
      { guard: 'isPastUntil', target: 'due' },
      {
        target: 'dialing',
        actions: ['noteAttempt', originateCallee, reach('dialed')],
      },
    ],
    refused: { target: 'settling', actions: 'noteRefused' },
    postponed: { target: 'postponed', actions: 'notePostponed' },
    requestClearanceFailed: { target: 'postponed', actions: 'notePostponed' },
    takenUp: { target: 'clearing', reenter: true },
  },
  after: { clearanceGuard: { target: 'clearing', reenter: true } },
});

/** Not now: a window, a holiday, no capacity. */
export const postponed = words.createStateConfig({
  on: { retryNow: { target: 'due', actions: 'noteDatesLifted' } },
  after: { resume: 'due' },
});
