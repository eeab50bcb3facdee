/** From the answer to the farewell: what the callee hears, and what the keys do. */
import {
  interruptingDigitTransitions,
  digitTransitions,
  digitHeardActions,
  digitDuringPromptTransitions,
  digitMeansGuard,
  digitTimeoutTransitions,
} from './digitTransitions.ts';
import {
  adoptLegsAction,
  noteEndReasonAction,
  tellCallbackEventAction,
  recordingFinishedActions,
  hasPromptGuard,
  playCurrentPromptAction,
  startRecordingActions,
  stopCueAction,
} from './sharedActions.ts';
import { callMachineSetup } from './setup.ts';

/** Is it a person? And what is to be heard first? */
export const choosingOpeningState = callMachineSetup.createStateConfig({
  always: [
    { guard: hasPromptGuard('machine'), target: 'detecting' },
    { guard: hasPromptGuard('opening'), target: 'speaking' },
    { target: 'heard' },
  ],
});

export const detectingAnsweringMachineState = callMachineSetup.createStateConfig({
  entry: { type: 'detectMachine', params: ({ context }) => ({ leg: context.dial.leg }) },
  on: {
    machineDetected: [
      {
        guard: 'isMachine',
        target: 'leavingMessage',
        actions: ['noteDetected', tellCallbackEventAction('amd')],
      },
      { guard: 'isCallee', target: 'detected', actions: ['noteDetected', tellCallbackEventAction('amd')] },
    ],
    detectMachineFailed: 'detected',
    // What the other process had heard is lost with it.
    takenOver: { target: 'detecting', reenter: true, actions: adoptLegsAction },
  },
  after: { machineGuard: 'detected' },
});

export const machineDetectionFinishedState = callMachineSetup.createStateConfig({
  always: [{ guard: hasPromptGuard('opening'), target: 'speaking' }, { target: 'heard' }],
});

/** A machine answered: it hears its own prompt and nothing else. */
export const leavingVoicemailState = callMachineSetup.createStateConfig({
  entry: [{ type: 'noteCue', params: 'machine' }, noteEndReasonAction('machine'), playCurrentPromptAction],
  on: {
    played: { guard: 'isPlayback', target: '#call.closing' },
    playFailed: { guard: 'isPlayback', target: '#call.closing' },
  },
  after: { playGuard: '#call.closing' },
});

const told = { guard: 'isPlayback', target: 'missedAgain' } as const;

/** The opening, and what asks for digits. */
export const playingOpeningState = callMachineSetup.createStateConfig({
  entry: [{ type: 'noteCue', params: 'opening' }, playCurrentPromptAction],
  on: {
    digitReceived: [...digitDuringPromptTransitions],
    played: { guard: 'isPlayback', target: 'heard' },
    playFailed: { guard: 'isPlayback', target: 'heard' },
  },
  after: { playGuard: 'heard' },
});

/** The opening is over (or there was none): what kind of call is it? */
export const openingPlayedState = callMachineSetup.createStateConfig({
  always: [
    { guard: 'asks', target: 'listening' },
    { guard: 'recordsAnswer', target: 'recordingAnswer' },
    { guard: 'isForAgent', target: 'transferring', actions: 'noteTarget' },
    { target: 'farewell' },
  ],
});

/** Waits for digits. */
export const awaitingDigitsState = callMachineSetup.createStateConfig({
  on: {
    digitReceived: [
      { guard: digitMeansGuard('kept'), actions: [...digitHeardActions] },
      { guard: digitMeansGuard('more'), actions: [...digitHeardActions] },
      ...digitTransitions,
    ],
    // Digits of the gap arrive with the adoption: the wait begins anew.
    takenOver: { target: 'listening', reenter: true, actions: adoptLegsAction },
  },
  after: { digits: [...digitTimeoutTransitions] },
});

/** A digit was missing or wrong: is there something to say to that? */
export const wrongOrMissingDigitState = callMachineSetup.createStateConfig({
  always: [
    { guard: 'isMissedForGood', target: 'farewell', actions: 'noteUnanswered' },
    { guard: 'hasNotice', target: 'correcting' },
    { guard: 'isAskedAgain', target: 'survey.confirmed' },
    { guard: 'isHeardAgain', target: 'listening' },
    { target: 'farewell', actions: 'noteUnanswered' },
  ],
});

/** `contentno` or `contentfail`; twice at most. */
export const playingDigitErrorState = callMachineSetup.createStateConfig({
  entry: ['notePlay', playCurrentPromptAction],
  on: {
    digitReceived: [
      { guard: 'isToldTwice' },
      { guard: digitMeansGuard('more'), target: 'listening', actions: [stopCueAction, ...digitHeardActions] },
      ...interruptingDigitTransitions,
    ],
    played: told,
    playFailed: told,
  },
  after: { playGuard: 'missedAgain' },
});

/** Told: another wait, or was it the last time? */
export const afterDigitErrorPlayedState = callMachineSetup.createStateConfig({
  always: [{ guard: 'isToldTwice', target: 'farewell', actions: 'noteUnanswered' }, { target: 'listening' }],
});

/** A key plays its slot. */
export const playingPromptOfPressedKeyState = callMachineSetup.createStateConfig({
  entry: [{ type: 'noteCue', params: 'slot' }, playCurrentPromptAction],
  on: {
    played: { guard: 'isPlayback', target: 'farewell' },
    playFailed: { guard: 'isPlayback', target: 'farewell' },
  },
  after: { playGuard: 'farewell' },
});

/** Type 22: a beep, then the callee speaks until `#`, the longest time, or the end. */
export const recordingSpokenAnswerState = callMachineSetup.createStateConfig({
  entry: [...startRecordingActions('answer')],
  on: {
    recorded: { guard: 'isRecording', target: 'farewell', actions: [...recordingFinishedActions] },
    recordFailed: { guard: 'isRecording', target: 'farewell', actions: 'noteRecorded' },
  },
  after: { recordGuard: { target: 'farewell', actions: 'stopAnswer' } },
});

/** The transfer was not answered: the callee is told, when there is something to say. */
export const transferUnansweredState = callMachineSetup.createStateConfig({
  always: [{ guard: hasPromptGuard('nobody'), target: 'apologising' }, { target: 'farewell' }],
});

export const playingTransferApologyState = callMachineSetup.createStateConfig({
  entry: [{ type: 'noteCue', params: 'nobody' }, playCurrentPromptAction],
  on: {
    played: { guard: 'isPlayback', target: 'farewell' },
    playFailed: { guard: 'isPlayback', target: 'farewell' },
  },
  after: { playGuard: 'farewell' },
});

/** Is there a last word? */
export const farewellDecisionState = callMachineSetup.createStateConfig({
  always: [
    { guard: hasPromptGuard('ending'), target: 'ending', actions: noteEndReasonAction('completed') },
    { target: '#call.closing', actions: noteEndReasonAction('completed') },
  ],
});

export const playingFarewellState = callMachineSetup.createStateConfig({
  entry: [{ type: 'noteCue', params: 'ending' }, playCurrentPromptAction],
  on: {
    played: { guard: 'isPlayback', target: '#call.closing' },
    playFailed: { guard: 'isPlayback', target: '#call.closing' },
  },
  after: { playGuard: '#call.closing' },
});
