/**
 * What follows from an answer, in a question (cp_type 4) and a confirmation with validation (cp_type 6; spec 4.3).
 * The opening, the wait for digits and what is said to a missing or wrong one are those of every call.
 */
import { digitDuringPromptTransitions } from './digitTransitions.ts';
import { hasPromptGuard, playCurrentPromptAction } from './sharedActions.ts';
import { callMachineSetup } from './setup.ts';

const cue = (name: 'slot' | 'code' | 'match' | 'beforeTransfer') =>
  ({ type: 'noteCue', params: name }) as const;

/** Question: is there something to say to this answer? */
const replied = callMachineSetup.createStateConfig({
  always: [{ guard: hasPromptGuard('slot'), target: 'replying' }, { target: 'replyOver' }],
});

/** `cont0` … `cont9`, by the first digit; it may be the second question. */
const replying = callMachineSetup.createStateConfig({
  entry: [cue('slot'), playCurrentPromptAction],
  on: {
    digitReceived: [...digitDuringPromptTransitions],
    played: { guard: 'isPlayback', target: 'replyOver' },
    playFailed: { guard: 'isPlayback', target: 'replyOver' },
  },
  after: { playGuard: 'replyOver' },
});

/** Question: are more digits asked for? */
const replyOver = callMachineSetup.createStateConfig({
  always: [{ guard: 'asksAgain', target: '#call.answered.listening' }, { target: 'passedOn' }],
});

/** Validation: confirmed. Is there a prompt that asks for the digits? */
const confirmed = callMachineSetup.createStateConfig({
  always: [{ guard: hasPromptGuard('code'), target: 'asking' }, { target: '#call.answered.listening' }],
});

/** `content2`. */
const asking = callMachineSetup.createStateConfig({
  entry: [cue('code'), playCurrentPromptAction],
  on: {
    digitReceived: [...digitDuringPromptTransitions],
    played: { guard: 'isPlayback', target: '#call.answered.listening' },
    playFailed: { guard: 'isPlayback', target: '#call.answered.listening' },
  },
  after: { playGuard: '#call.answered.listening' },
});

/** Validation: the digits are right. */
const matched = callMachineSetup.createStateConfig({
  always: [{ guard: hasPromptGuard('match'), target: 'praising' }, { target: 'passedOn' }],
});

/** `content3`. */
const praising = callMachineSetup.createStateConfig({
  entry: [cue('match'), playCurrentPromptAction],
  on: {
    played: { guard: 'isPlayback', target: 'passedOn' },
    playFailed: { guard: 'isPlayback', target: 'passedOn' },
  },
  after: { playGuard: 'passedOn' },
});

/** All questions are answered: is the callee transferred now? */
const passedOn = callMachineSetup.createStateConfig({
  always: [
    { guard: 'announcesTransfer', target: 'announcing' },
    { guard: 'transfers', target: '#call.answered.transferring', actions: 'noteTarget' },
    { target: '#call.answered.farewell' },
  ],
});

/** `content6`. */
const announcing = callMachineSetup.createStateConfig({
  entry: [cue('beforeTransfer'), playCurrentPromptAction],
  on: {
    played: { guard: 'isPlayback', target: '#call.answered.transferring', actions: 'noteTarget' },
    playFailed: { guard: 'isPlayback', target: '#call.answered.transferring', actions: 'noteTarget' },
  },
  after: { playGuard: { target: '#call.answered.transferring', actions: 'noteTarget' } },
});

/** Validation: not confirmed. Is there something to say to that? */
const dismissed = callMachineSetup.createStateConfig({
  always: [{ guard: 'hasNotice', target: 'dismissing' }, { target: '#call.answered.farewell' }],
});

/** `content4` or `content5`. */
const dismissing = callMachineSetup.createStateConfig({
  entry: ['notePlay', playCurrentPromptAction],
  on: {
    played: { guard: 'isPlayback', target: '#call.answered.farewell' },
    playFailed: { guard: 'isPlayback', target: '#call.answered.farewell' },
  },
  after: { playGuard: '#call.answered.farewell' },
});

/** From the first answer to the farewell or the transfer. */
export const surveyState = callMachineSetup.createStateConfig({
  initial: 'replied',
  states: {
    replied,
    replying,
    replyOver,
    confirmed,
    asking,
    matched,
    praising,
    passedOn,
    announcing,
    dismissed,
    dismissing,
  },
});
