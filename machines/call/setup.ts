/** The words of a call's chart: its effects, notes, guards and delays, by the names the states use. */
import { assign, enqueueActions, setup } from 'xstate';
import { effect, engineEffects } from '../../src/engine/contract/effect.ts';
import type { CallEvent as Told } from '../contracts/callback.ts';
import * as callbacks from './callbacks.ts';
import type { CallBirth, CallContext, Scope } from './context.ts';
import { delays } from './delays.ts';
import type { CallEffects, CallEvent } from './events.ts';
import { guards } from './guards.ts';
import { attemptBegun, dialledAnew, questionBegun, secondBegun, undialled } from './legs.ts';
import * as notes from './assigns.ts';
import { recordingBegun, startRecording, stopRecording } from './recording.ts';
import * as requests from './requests.ts';
import type { Asked } from './requests.ts';
import * as turn from './campaignGrant.ts';

/** A note: the fields of the context that change. */
const note = (update: (scope: Scope) => Partial<CallContext>) =>
  assign<CallContext, CallEvent, undefined, CallEvent, never>(({ context, event }) =>
    update({ context, event }),
  );

const noteWith = <Params extends string>(update: (scope: Scope, params: Params) => Partial<CallContext>) =>
  assign<CallContext, CallEvent, Params, CallEvent, never>(({ context, event }, params) =>
    update({ context, event }, params),
  );

/** Effects whose number depends on the context: none, one or several. */
const several = (requestsOf: (scope: Scope) => Asked[]) =>
  enqueueActions<CallContext, CallEvent, undefined, CallEvent, never, Asked, never, never, never>(
    ({ context, event, enqueue }) => {
      for (const asked of requestsOf({ context, event })) enqueue(asked);
    },
  );

const severalWith = <Params extends string>(requestsOf: (scope: Scope, params: Params) => Asked[]) =>
  enqueueActions<CallContext, CallEvent, Params, CallEvent, never, Asked, never, never, never>(
    ({ context, event, enqueue }, params) => {
      for (const asked of requestsOf({ context, event }, params)) enqueue(asked);
    },
  );

/** Tells an event to the callback delivery, where the wish asks for it, and records that it was told. */
const telling = <Params extends Told | undefined>(
  which: (scope: Scope, params: Params) => Told | undefined,
) =>
  enqueueActions<CallContext, CallEvent, Params, CallEvent, never, Asked | Noted, never, never, never>(
    ({ context, event, enqueue }, params) => {
      const told = which({ context, event }, params);
      if (told === undefined || !callbacks.isWanted(context, told)) return;
      enqueue(callbacks.eventAsked({ context, event }, told));
      enqueue({ type: 'noteEvent', params: told });
    },
  );
type Noted = { type: 'noteEvent'; params: Told };

export const words = setup({
  types: {
    context: {} as CallContext,
    events: {} as CallEvent,
    input: {} as CallBirth,
    tags: '' as 'adoptable',
  },
  actions: {
    ...engineEffects,
    originate: effect<CallEffects['originate']>(),
    hangUp: effect<CallEffects['hangUp']>(),
    play: effect<CallEffects['play']>(),
    stopPlay: effect<CallEffects['stopPlay']>(),
    detectMachine: effect<CallEffects['detectMachine']>(),
    hold: effect<CallEffects['hold']>(),
    bridge: effect<CallEffects['bridge']>(),
    unbridge: effect<CallEffects['unbridge']>(),
    sendDigits: effect<CallEffects['sendDigits']>(),
    record: effect<CallEffects['record']>(),
    stopRecord: effect<CallEffects['stopRecord']>(),
    adopt: effect<CallEffects['adopt']>(),
    lookUp: effect<CallEffects['lookUp']>(),
    prepareAudio: effect<CallEffects['prepareAudio']>(),
    requestClearance: effect<CallEffects['requestClearance']>(),
    withdrawClearance: effect<CallEffects['withdrawClearance']>(),
    blockNumber: effect<CallEffects['blockNumber']>(),
    restNumber: effect<CallEffects['restNumber']>(),
    resolveTarget: effect<CallEffects['resolveTarget']>(),
    sendSms: effect<CallEffects['sendSms']>(),

    hangUpSeconds: several(requests.hangUpSeconds),
    restIfUnwanted: several(requests.restNumber),
    hangUpSpares: several(requests.hangUpSpares),
    closeLegs: several(requests.closeLegs),
    tellTaken: several(requests.tellTaken),
    tellMissed: several(requests.tellMissed),
    tellFreed: several(requests.tellFreed),
    tellLeft: several(requests.tellLeft),
    tellWanted: several(turn.tellWanted),
    tellDropped: several(turn.tellDropped),
    tellUnused: several(turn.tellUnused),
    tellHeld: several(turn.tellHeld),
    tellAnswered: several(turn.tellAnswered),
    tellTransferred: several(turn.tellTransferred),
    tellTransferUndone: several(turn.tellTransferUndone),
    tellAttemptEnded: several(turn.tellAttemptEnded),
    tellEnded: several(turn.tellEnded),
    tellUndialled: several(turn.tellUndialled),
    takeNumber: several(turn.takeNumber),
    leaveNumber: several(turn.leaveNumber),
    tellEvent: telling<Told>((_scope, event) => event),
    tellRinging: telling<undefined>(callbacks.ringing),
    tellDigits: telling<undefined>(callbacks.digits),
    tellRecording: telling<undefined>(callbacks.recording),
    tellFinal: telling<undefined>(callbacks.final),
    noteEvent: noteWith(callbacks.eventTold),
    startRecording: severalWith(startRecording),
    stopAnswer: several(stopRecording),

    noteAudioAsked: note(notes.audioAsked),
    noteAudio: note(notes.audioPrepared),
    noteAudioFailed: note(notes.audioFailed),
    noteSilent: note(notes.silent),
    noteTimetableRolled: note(notes.timetableRolled),
    noteWait: note(notes.waitAnnounced),
    noteDatesLifted: note(notes.datesLifted),
    noteRefused: note(notes.refused),
    notePostponed: note(notes.postponed),
    noteCancelledUndialed: note(notes.cancelledUndialed),
    noteTurn: noteWith(turn.turned),
    noteAsk: note(turn.askedAnew),
    noteUnused: note(turn.unused),
    noteDeferred: note(turn.deferred),
    noteNumberBusy: note(turn.numberBusy),
    noteOver: note(turn.overForGood),
    noteOverUndialed: note(turn.overUndialed),
    noteStopped: note(turn.stopped),

    noteQuestion: note(questionBegun),
    noteAttempt: note(attemptBegun),
    noteDialledAnew: note(dialledAnew),
    noteUndialled: note(undialled),
    noteRinging: note(notes.ringing),
    noteAnswered: note(notes.answered),
    noteCancelled: note(notes.cancelled),
    noteReason: noteWith(notes.because),
    noteEnded: note(notes.ended),
    noteGivenUp: note(notes.givenUp),
    noteRetry: note(notes.retryPlanned),
    noteSms: note(notes.smsAccepted),
    noteSmsMissed: note(notes.smsMissed),

    noteDetected: note(notes.detected),
    notePlay: note(notes.playedAnew),
    noteCue: noteWith(notes.cued),
    noteDigit: note(notes.digitHeard),
    noteSilence: note(notes.silenceHeard),
    noteMiss: noteWith(notes.misheard),
    noteNotice: noteWith(notes.noticed),
    noteUnanswered: note(notes.unanswered),

    noteTarget: note(notes.targetChosen),
    noteLineOpened: note(notes.lineOpened),
    noteLine: note(notes.lineNamed),
    noteLineLeft: note(notes.lineLeft),
    noteTargetRefused: note(notes.targetRefused),
    noteSecond: note(secondBegun),
    noteSecondGone: note(notes.secondGone),
    noteSecondsDropped: note(notes.secondsDropped),
    noteBridged: note(notes.bridged),
    noteUnbridged: note(notes.unbridged),

    noteRecording: noteWith(recordingBegun),
    noteRecorded: note(notes.recorded),
  },
  guards,
  delays,
});
