/**
 * One call with all its attempts, from the request to its one outcome (spec 4.2).
 *
 * Read from top to bottom: audio, dates and clearance (`call/beforeDial.ts`), the dial (`call/dial.ts`), the
 * conversation (`call/conversation.ts`) with its questions (`call/survey.ts`) and its second leg (`call/secondLeg.ts`), and what follows
 * (`call/afterwards.ts`). States named as questions are left in the step that enters them.
 */
import * as afterwards from './call/afterwards.ts';
import * as beforeDial from './call/beforeDial.ts';
import { newContext } from './call/context.ts';
import * as talk from './call/conversation.ts';
import { checking, dialing, endStrays, rerouting } from './call/dial.ts';
import { endSpares, returnOffers, talking, transferring } from './call/secondLeg.ts';
import {
  adoptLegs,
  because,
  dropTurn,
  event,
  filed,
  noMoreAttempts,
  reach,
  record,
  turn,
} from './call/sharedActions.ts';
import { survey } from './call/survey.ts';
import { machineSetup } from './call/setup.ts';

const { born, preparing, due, scheduled, awaitingTurn, deferred, clearing, postponed } = beforeDial;
const { closing, filing, settling, retrying, texting, ended } = afterwards;

const answered = machineSetup.createStateConfig({
  tags: ['adoptable'],
  initial: 'greeting',
  entry: ['noteAnswered', 'tellAnswered', turn('up'), reach('answered'), ...record('ini'), event('answered')],
  states: {
    greeting: talk.greeting,
    detecting: talk.detecting,
    detected: talk.detected,
    leavingMessage: talk.leavingMessage,
    speaking: talk.speaking,
    heard: talk.heard,
    listening: talk.listening,
    missed: talk.missed,
    correcting: talk.correcting,
    missedAgain: talk.missedAgain,
    acting: talk.acting,
    survey,
    recordingAnswer: talk.recordingAnswer,
    transferring,
    talking,
    unanswered: talk.unanswered,
    apologising: talk.apologising,
    farewell: talk.farewell,
    ending: talk.ending,
  },
  on: {
    ...endSpares,
    hungUp: [{ guard: 'isCallee', target: 'closing', actions: 'noteEnded' }, endSpares.hungUp],
    takenOver: { actions: adoptLegs },
    cancel: { target: 'closing', actions: 'noteCancelled' },
    campaignOver: noMoreAttempts,
  },
  after: { timeLimit: { target: 'closing', actions: because('timeLimit') } },
});

export const call = machineSetup.createMachine({
  id: 'call',
  context: ({ input }) => newContext(input),
  initial: 'born',
  states: {
    born,
    preparing,
    due,
    scheduled,
    awaitingTurn,
    deferred,
    clearing,
    postponed,
    dialing,
    rerouting,
    checking,
    answered,
    closing,
    filing,
    settling,
    retrying,
    texting,
    ended,
  },
  on: {
    ...endStrays,
    ...returnOffers,
    recorded: { guard: 'isRecording', actions: [...filed] },
    recordFailed: { guard: 'isRecording', actions: 'noteRecorded' },
    cancel: { target: '.settling', actions: 'noteCancelledUndialed' },
    attemptGranted: { actions: ['tellUnused', 'noteUnused'] },
    attemptAwaited: { actions: ['tellHeld', 'noteUnused'] },
    attemptRevoked: { guard: 'isRevoked', actions: [...dropTurn] },
    campaignOver: [
      { guard: 'isTried', target: '.settling', actions: 'noteOver' },
      { target: '.settling', actions: 'noteOverUndialed' },
    ],
  },
  options: { maxIterations: 20 },
});
