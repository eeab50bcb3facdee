/** The XState setup of a call's chart: its effects, assigns, guards and delays, by the names the states use. */
import { assign, enqueueActions, setup } from 'xstate';
import { effect, engineEffects } from '../../src/engine/contract/effect.ts';
import type { CallEvent as Told } from '../contracts/callback.ts';
import * as callbacks from './callbacks.ts';
import type { CallBirth, CallContext, Scope } from './context.ts';
import { delays } from './delays.ts';
import type { CallEffects, CallEvent } from './events.ts';
import { guards } from './guards.ts';
import { attemptBegun, dialledAnew, questionBegun, secondBegun, undialled } from './legRequests.ts';
import * as assigns from './assigns.ts';
import { recordingBegun, startRecording, stopRecording } from './recording.ts';
import * as requests from './requests.ts';
import type { Asked } from './requests.ts';
import { rerouted, tried, triedOut } from './reroute.ts';
import * as turn from './campaignGrant.ts';

/** A note: the fields of the context that change. */
const assignFrom = (update: (scope: Scope) => Partial<CallContext>) =>
  assign<CallContext, CallEvent, undefined, CallEvent, never>(({ context, event }) =>
    update({ context, event }),
  );

const assignWith = <Params extends string>(update: (scope: Scope, params: Params) => Partial<CallContext>) =>
  assign<CallContext, CallEvent, Params, CallEvent, never>(({ context, event }, params) =>
    update({ context, event }, params),
  );

/** Effects whose number depends on the context: none, one or several. */
const enqueueMany = (requestsOf: (scope: Scope) => Asked[]) =>
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
const notify = <Params extends Told | undefined>(which: (scope: Scope, params: Params) => Told | undefined) =>
  enqueueActions<CallContext, CallEvent, Params, CallEvent, never, Asked | Noted, never, never, never>(
    ({ context, event, enqueue }, params) => {
      const told = which({ context, event }, params);
      if (told === undefined || !callbacks.isWanted(context, told)) return;
      enqueue(callbacks.eventAsked({ context, event }, told));
      enqueue({ type: 'noteEvent', params: told });
    },
  );
type Noted = { type: 'noteEvent'; params: Told };

export const machineSetup = setup({
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

    refuse: enqueueMany(requests.refuse),
    hangUpSeconds: enqueueMany(requests.hangUpSeconds),
    restIfUnwanted: enqueueMany(requests.restNumber),
    hangUpSpares: enqueueMany(requests.hangUpSpares),
    closeLegs: enqueueMany(requests.closeLegs),
    tellTaken: enqueueMany(requests.tellTaken),
    tellMissed: enqueueMany(requests.tellMissed),
    tellFreed: enqueueMany(requests.tellFreed),
    tellLeft: enqueueMany(requests.tellLeft),
    tellWanted: enqueueMany(turn.tellWanted),
    tellDropped: enqueueMany(turn.tellDropped),
    tellUnused: enqueueMany(turn.tellUnused),
    tellHeld: enqueueMany(turn.tellHeld),
    tellAnswered: enqueueMany(turn.tellAnswered),
    tellTransferred: enqueueMany(turn.tellTransferred),
    tellTransferUndone: enqueueMany(turn.tellTransferUndone),
    tellAttemptEnded: enqueueMany(turn.tellAttemptEnded),
    tellEnded: enqueueMany(turn.tellEnded),
    tellUndialled: enqueueMany(turn.tellUndialled),
    takeNumber: enqueueMany(turn.takeNumber),
    leaveNumber: enqueueMany(turn.leaveNumber),
    tellEvent: notify<Told>((_scope, event) => event),
    tellRinging: notify<undefined>(callbacks.ringing),
    tellDigits: notify<undefined>(callbacks.digits),
    tellRecording: notify<undefined>(callbacks.recording),
    tellFinal: notify<undefined>(callbacks.final),
    noteEvent: assignWith(callbacks.eventTold),
    startRecording: severalWith(startRecording),
    stopAnswer: enqueueMany(stopRecording),

    noteAudioAsked: assignFrom(assigns.audioAsked),
    noteAudio: assignFrom(assigns.audioPrepared),
    noteAudioFailed: assignFrom(assigns.audioFailed),
    noteSilent: assignFrom(assigns.silent),
    noteTimetableRolled: assignFrom(assigns.timetableRolled),
    noteWait: assignFrom(assigns.waitAnnounced),
    noteDatesLifted: assignFrom(assigns.datesLifted),
    noteRefused: assignFrom(assigns.refused),
    notePostponed: assignFrom(assigns.postponed),
    noteCancelledUndialed: assignFrom(assigns.cancelledUndialed),
    noteTurn: assignWith(turn.turned),
    noteAsk: assignFrom(turn.askedAnew),
    noteUnused: assignFrom(turn.unused),
    noteDeferred: assignFrom(turn.deferred),
    noteNumberBusy: assignFrom(turn.numberBusy),
    noteOver: assignFrom(turn.overForGood),
    noteOverUndialed: assignFrom(turn.overUndialed),
    noteStopped: assignFrom(turn.stopped),

    noteQuestion: assignFrom(questionBegun),
    noteAttempt: assignFrom(attemptBegun),
    noteDialledAnew: assignFrom(dialledAnew),
    noteUndialled: assignFrom(undialled),
    noteTry: assignFrom(tried),
    noteRerouted: assignFrom(rerouted),
    noteTriedOut: assignFrom(triedOut),
    noteRinging: assignFrom(assigns.ringing),
    noteAnswered: assignFrom(assigns.answered),
    noteCancelled: assignFrom(assigns.cancelled),
    noteReason: assignWith(assigns.because),
    noteEnded: assignFrom(assigns.ended),
    noteGivenUp: assignFrom(assigns.givenUp),
    noteRetry: assignFrom(assigns.retryPlanned),
    noteSms: assignFrom(assigns.smsAccepted),
    noteSmsMissed: assignFrom(assigns.smsMissed),

    noteDetected: assignFrom(assigns.detected),
    notePlay: assignFrom(assigns.playedAnew),
    noteCue: assignWith(assigns.cued),
    noteDigit: assignFrom(assigns.digitHeard),
    noteSilence: assignFrom(assigns.silenceHeard),
    noteMiss: assignWith(assigns.misheard),
    noteNotice: assignWith(assigns.noticed),
    noteUnanswered: assignFrom(assigns.unanswered),

    noteTarget: assignFrom(assigns.targetChosen),
    noteLineOpened: assignFrom(assigns.lineOpened),
    noteLine: assignFrom(assigns.lineNamed),
    noteLineLeft: assignFrom(assigns.lineLeft),
    noteTargetRefused: assignFrom(assigns.targetRefused),
    noteSecond: assignFrom(secondBegun),
    noteSecondGone: assignFrom(assigns.secondGone),
    noteSecondsDropped: assignFrom(assigns.secondsDropped),
    noteBridged: assignFrom(assigns.bridged),
    noteUnbridged: assignFrom(assigns.unbridged),

    noteRecording: assignWith(recordingBegun),
    noteRecorded: assignFrom(assigns.recorded),
  },
  guards,
  delays,
});
