/** From the answer to the farewell: what the callee hears, and what the keys do. */
import {
  digitInterrupts,
  digitLeads,
  heardDigit,
  heardMeanwhile,
  means,
  silenceLeads,
} from './digitTransitions.ts';
import { adoptLegs, because, event, filed, has, playCue, record, stopCue } from './sharedActions.ts';
import { machineSetup } from './setup.ts';

/** Is it a person? And what is to be heard first? */
export const greeting = machineSetup.createStateConfig({
  always: [
    { guard: has('machine'), target: 'detecting' },
    { guard: has('opening'), target: 'speaking' },
    { target: 'heard' },
  ],
});

export const detecting = machineSetup.createStateConfig({
  entry: { type: 'detectMachine', params: ({ context }) => ({ leg: context.dial.leg }) },
  on: {
    machineDetected: [
      { guard: 'isMachine', target: 'leavingMessage', actions: ['noteDetected', event('amd')] },
      { guard: 'isCallee', target: 'detected', actions: ['noteDetected', event('amd')] },
    ],
    detectMachineFailed: 'detected',
    // What the other process had heard is lost with it.
    takenOver: { target: 'detecting', reenter: true, actions: adoptLegs },
  },
  after: { machineGuard: 'detected' },
});

export const detected = machineSetup.createStateConfig({
  always: [{ guard: has('opening'), target: 'speaking' }, { target: 'heard' }],
});

/** A machine answered: it hears its own prompt and nothing else. */
export const leavingMessage = machineSetup.createStateConfig({
  entry: [{ type: 'noteCue', params: 'machine' }, because('machine'), playCue],
  on: {
    played: { guard: 'isPlayback', target: '#call.closing' },
    playFailed: { guard: 'isPlayback', target: '#call.closing' },
  },
  after: { playGuard: '#call.closing' },
});

const told = { guard: 'isPlayback', target: 'missedAgain' } as const;

/** The opening, and what asks for digits. */
export const speaking = machineSetup.createStateConfig({
  entry: [{ type: 'noteCue', params: 'opening' }, playCue],
  on: {
    digitReceived: [...heardMeanwhile],
    played: { guard: 'isPlayback', target: 'heard' },
    playFailed: { guard: 'isPlayback', target: 'heard' },
  },
  after: { playGuard: 'heard' },
});

/** The opening is over (or there was none): what kind of call is it? */
export const heard = machineSetup.createStateConfig({
  always: [
    { guard: 'asks', target: 'listening' },
    { guard: 'recordsAnswer', target: 'recordingAnswer' },
    { guard: 'isForAgent', target: 'transferring', actions: 'noteTarget' },
    { target: 'farewell' },
  ],
});

/** Waits for digits. */
export const listening = machineSetup.createStateConfig({
  on: {
    digitReceived: [
      { guard: means('kept'), actions: [...heardDigit] },
      { guard: means('more'), actions: [...heardDigit] },
      ...digitLeads,
    ],
    // Digits of the gap arrive with the adoption: the wait begins anew.
    takenOver: { target: 'listening', reenter: true, actions: adoptLegs },
  },
  after: { digits: [...silenceLeads] },
});

/** A digit was missing or wrong: is there something to say to that? */
export const missed = machineSetup.createStateConfig({
  always: [
    { guard: 'isMissedForGood', target: 'farewell', actions: 'noteUnanswered' },
    { guard: 'hasNotice', target: 'correcting' },
    { guard: 'isAskedAgain', target: 'survey.confirmed' },
    { guard: 'isHeardAgain', target: 'listening' },
    { target: 'farewell', actions: 'noteUnanswered' },
  ],
});

/** `contentno` or `contentfail`; twice at most. */
export const correcting = machineSetup.createStateConfig({
  entry: ['notePlay', playCue],
  on: {
    digitReceived: [
      { guard: 'isToldTwice' },
      { guard: means('more'), target: 'listening', actions: [stopCue, ...heardDigit] },
      ...digitInterrupts,
    ],
    played: told,
    playFailed: told,
  },
  after: { playGuard: 'missedAgain' },
});

/** Told: another wait, or was it the last time? */
export const missedAgain = machineSetup.createStateConfig({
  always: [{ guard: 'isToldTwice', target: 'farewell', actions: 'noteUnanswered' }, { target: 'listening' }],
});

/** A key plays its slot. */
export const acting = machineSetup.createStateConfig({
  entry: [{ type: 'noteCue', params: 'slot' }, playCue],
  on: {
    played: { guard: 'isPlayback', target: 'farewell' },
    playFailed: { guard: 'isPlayback', target: 'farewell' },
  },
  after: { playGuard: 'farewell' },
});

/** Type 22: a beep, then the callee speaks until `#`, the longest time, or the end. */
export const recordingAnswer = machineSetup.createStateConfig({
  entry: [...record('answer')],
  on: {
    recorded: { guard: 'isRecording', target: 'farewell', actions: [...filed] },
    recordFailed: { guard: 'isRecording', target: 'farewell', actions: 'noteRecorded' },
  },
  after: { recordGuard: { target: 'farewell', actions: 'stopAnswer' } },
});

/** The transfer was not answered: the callee is told, when there is something to say. */
export const unanswered = machineSetup.createStateConfig({
  always: [{ guard: has('nobody'), target: 'apologising' }, { target: 'farewell' }],
});

export const apologising = machineSetup.createStateConfig({
  entry: [{ type: 'noteCue', params: 'nobody' }, playCue],
  on: {
    played: { guard: 'isPlayback', target: 'farewell' },
    playFailed: { guard: 'isPlayback', target: 'farewell' },
  },
  after: { playGuard: 'farewell' },
});

/** Is there a last word? */
export const farewell = machineSetup.createStateConfig({
  always: [
    { guard: has('ending'), target: 'ending', actions: because('completed') },
    { target: '#call.closing', actions: because('completed') },
  ],
});

export const ending = machineSetup.createStateConfig({
  entry: [{ type: 'noteCue', params: 'ending' }, playCue],
  on: {
    played: { guard: 'isPlayback', target: '#call.closing' },
    playFailed: { guard: 'isPlayback', target: '#call.closing' },
  },
  after: { playGuard: '#call.closing' },
});
