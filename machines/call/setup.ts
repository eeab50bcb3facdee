/** The XState setup of a call's chart: its effects, assigns, guards and delays, by the names the states use. */
import { assign, enqueueActions, setup } from 'xstate';
import { declareEffect, engineEffects } from '../../src/engine/contract/effect.ts';
import type { CallCallbackEvent as Told } from '../contracts/callback.ts';
import * as callbacks from './statusCallbacks.ts';
import type { CallStartInput, CallContext, CallActionArgs } from './context.ts';
import { callMachineDelays } from './delays.ts';
import type { CallEffects, CallMachineEvent } from './events.ts';
import { callMachineGuards } from './guards.ts';
import {
  assignNewDialAttempt,
  assignNewLegOfSameAttempt,
  assignNextClearanceQuestion,
  assignNewSecondLeg,
  assignAttemptUndone,
} from './startAttemptsAndLegs.ts';
import * as assigns from './assigns.ts';
import { assignRecordingStarted, requestRecordingStart, requestRecordingStop } from './recording.ts';
import * as requests from './hangUpAndQueueEffects.ts';
import type { CallEffectRequest } from './hangUpAndQueueEffects.ts';
import { assignReroutedLeg, assignTrunkRefused, assignTrunksExhausted } from './tryAnotherTrunk.ts';
import * as turn from './campaignGrant.ts';

/** A note: the fields of the context that change. */
const assignFrom = (update: (scope: CallActionArgs) => Partial<CallContext>) =>
  assign<CallContext, CallMachineEvent, undefined, CallMachineEvent, never>(({ context, event }) =>
    update({ context, event }),
  );

const assignWith = <Params extends string>(
  update: (scope: CallActionArgs, params: Params) => Partial<CallContext>,
) =>
  assign<CallContext, CallMachineEvent, Params, CallMachineEvent, never>(({ context, event }, params) =>
    update({ context, event }, params),
  );

/** Effects whose number depends on the context: none, one or several. */
const enqueueMany = (requestsOf: (scope: CallActionArgs) => CallEffectRequest[]) =>
  enqueueActions<
    CallContext,
    CallMachineEvent,
    undefined,
    CallMachineEvent,
    never,
    CallEffectRequest,
    never,
    never,
    never
  >(({ context, event, enqueue }) => {
    for (const asked of requestsOf({ context, event })) enqueue(asked);
  });

const severalWith = <Params extends string>(
  requestsOf: (scope: CallActionArgs, params: Params) => CallEffectRequest[],
) =>
  enqueueActions<
    CallContext,
    CallMachineEvent,
    Params,
    CallMachineEvent,
    never,
    CallEffectRequest,
    never,
    never,
    never
  >(({ context, event, enqueue }, params) => {
    for (const asked of requestsOf({ context, event }, params)) enqueue(asked);
  });

/** Tells an event to the callback delivery, where the wish asks for it, and records that it was told. */
const notify = <Params extends Told | undefined>(
  which: (scope: CallActionArgs, params: Params) => Told | undefined,
) =>
  enqueueActions<
    CallContext,
    CallMachineEvent,
    Params,
    CallMachineEvent,
    never,
    CallEffectRequest | Noted,
    never,
    never,
    never
  >(({ context, event, enqueue }, params) => {
    const told = which({ context, event }, params);
    if (told === undefined || !callbacks.isCallbackEventWanted(context, told)) return;
    enqueue(callbacks.requestCallCallbackDelivery({ context, event }, told));
    enqueue({ type: 'noteEvent', params: told });
  });
type Noted = { type: 'noteEvent'; params: Told };

export const callMachineSetup = setup({
  types: {
    context: {} as CallContext,
    events: {} as CallMachineEvent,
    input: {} as CallStartInput,
    tags: '' as 'adoptable',
  },
  actions: {
    ...engineEffects,
    originate: declareEffect<CallEffects['originate']>(),
    hangUp: declareEffect<CallEffects['hangUp']>(),
    play: declareEffect<CallEffects['play']>(),
    stopPlay: declareEffect<CallEffects['stopPlay']>(),
    detectMachine: declareEffect<CallEffects['detectMachine']>(),
    hold: declareEffect<CallEffects['hold']>(),
    bridge: declareEffect<CallEffects['bridge']>(),
    unbridge: declareEffect<CallEffects['unbridge']>(),
    sendDigits: declareEffect<CallEffects['sendDigits']>(),
    record: declareEffect<CallEffects['record']>(),
    stopRecord: declareEffect<CallEffects['stopRecord']>(),
    adopt: declareEffect<CallEffects['adopt']>(),
    lookUp: declareEffect<CallEffects['lookUp']>(),
    prepareAudio: declareEffect<CallEffects['prepareAudio']>(),
    requestClearance: declareEffect<CallEffects['requestClearance']>(),
    withdrawClearance: declareEffect<CallEffects['withdrawClearance']>(),
    blockNumber: declareEffect<CallEffects['blockNumber']>(),
    restNumber: declareEffect<CallEffects['restNumber']>(),
    resolveTarget: declareEffect<CallEffects['resolveTarget']>(),
    sendSms: declareEffect<CallEffects['sendSms']>(),

    refuse: enqueueMany(requests.refuseCallWhenAudioUnprepared),
    hangUpSeconds: enqueueMany(requests.hangUpSecondLegs),
    restIfUnwanted: enqueueMany(requests.requestCalleeNumberRest),
    hangUpSpares: enqueueMany(requests.hangUpSpareLegs),
    closeLegs: enqueueMany(requests.hangUpAllLegs),
    tellTaken: enqueueMany(requests.tellQueueOfMemberTaken),
    tellMissed: enqueueMany(requests.tellQueueMemberMissed),
    tellFreed: enqueueMany(requests.tellQueueMemberFreed),
    tellLeft: enqueueMany(requests.tellQueueCallerLeft),
    tellWanted: enqueueMany(turn.tellCampaignAttemptWanted),
    tellDropped: enqueueMany(turn.tellCampaignGrantDropped),
    tellUnused: enqueueMany(turn.tellCampaignGrantUnused),
    tellHeld: enqueueMany(turn.answerGrantInquiryOfCampaign),
    tellAnswered: enqueueMany(turn.tellCampaignCallAnswered),
    tellTransferred: enqueueMany(turn.tellCampaignCallTransferred),
    tellTransferUndone: enqueueMany(turn.tellCampaignTransferUndone),
    tellAttemptEnded: enqueueMany(turn.tellCampaignAttemptEnded),
    tellEnded: enqueueMany(turn.tellCampaignCallEnded),
    tellUndialled: enqueueMany(turn.tellCampaignAttemptUndone),
    takeNumber: enqueueMany(turn.claimDialledNumber),
    leaveNumber: enqueueMany(turn.releaseDialledNumber),
    tellEvent: notify<Told>((_scope, event) => event),
    tellRinging: notify<undefined>(callbacks.ringingCallbackEventIfDue),
    tellDigits: notify<undefined>(callbacks.dtmfCallbackEventIfDue),
    tellRecording: notify<undefined>(callbacks.recordingCallbackEventIfDue),
    tellFinal: notify<undefined>(callbacks.finalCallbackEvent),
    noteEvent: assignWith(callbacks.assignCallbackEventTold),
    startRecording: severalWith(requestRecordingStart),
    stopAnswer: enqueueMany(requestRecordingStop),

    noteAudioAsked: assignFrom(assigns.assignAudioRequested),
    noteAudio: assignFrom(assigns.assignPreparedAudio),
    noteAudioFailed: assignFrom(assigns.assignAudioFailed),
    noteSilent: assignFrom(assigns.assignEndedForLackOfAudio),
    noteMissedForDays: assignFrom(assigns.assignEndedWithoutOpenHours),
    noteTimetableRolled: assignFrom(assigns.assignCallScheduleMovedByDays),
    noteWait: assignFrom(assigns.assignScheduledWaitReason),
    noteDatesLifted: assignFrom(assigns.assignCallDateLimitsLifted),
    noteRefused: assignFrom(assigns.assignClearanceRefused),
    notePostponed: assignFrom(assigns.assignClearancePostponed),
    noteCancelledUndialed: assignFrom(assigns.assignCancelledBeforeDial),
    noteTurn: assignWith(turn.assignCallTurnStage),
    noteAsk: assignFrom(turn.assignNextTurnRequest),
    noteUnused: assignFrom(turn.assignTurnRequestAfterUnusedGrant),
    noteDeferred: assignFrom(turn.assignAttemptDeferred),
    noteNumberBusy: assignFrom(turn.assignNumberHeldByOtherCall),
    noteOver: assignFrom(turn.assignCampaignOver),
    noteOverUndialed: assignFrom(turn.assignCampaignOverBeforeDial),
    noteStopped: assignFrom(turn.assignStoppedByOperator),

    noteQuestion: assignFrom(assignNextClearanceQuestion),
    noteAttempt: assignFrom(assignNewDialAttempt),
    noteDialledAnew: assignFrom(assignNewLegOfSameAttempt),
    noteUndialled: assignFrom(assignAttemptUndone),
    noteTry: assignFrom(assignTrunkRefused),
    noteRerouted: assignFrom(assignReroutedLeg),
    noteTriedOut: assignFrom(assignTrunksExhausted),
    noteRinging: assignFrom(assigns.assignRingingTime),
    noteAnswered: assignFrom(assigns.assignAnswerTime),
    noteCancelled: assignFrom(assigns.assignCallCancelled),
    noteReason: assignWith(assigns.assignEndReason),
    noteEnded: assignFrom(assigns.assignAttemptEnded),
    noteGivenUp: assignFrom(assigns.assignLegsGivenUp),
    noteRetry: assignFrom(assigns.assignRetryTime),
    noteSms: assignFrom(assigns.assignFollowUpSmsId),
    noteSmsMissed: assignFrom(assigns.assignFollowUpSmsFailed),

    noteDetected: assignFrom(assigns.assignAnsweringMachineResult),
    notePlay: assignFrom(assigns.assignPlaybackCounted),
    noteCue: assignWith(assigns.assignPromptCue),
    noteDigit: assignFrom(assigns.assignDtmfDigit),
    noteSilence: assignFrom(assigns.assignDigitWaitTimedOut),
    noteMiss: assignWith(assigns.assignDigitErrorPrompt),
    noteNotice: assignWith(assigns.assignNotConfirmedPrompt),
    noteUnanswered: assignFrom(assigns.assignNoKeyAnswerReason),

    noteTarget: assignFrom(assigns.assignTransferTarget),
    noteLineOpened: assignFrom(assigns.assignTransferWaitDeadline),
    noteLine: assignFrom(assigns.assignQueueId),
    noteLineLeft: assignFrom(assigns.assignQueueLeft),
    noteTargetRefused: assignFrom(assigns.assignTransferRefused),
    noteSecond: assignFrom(assignNewSecondLeg),
    noteSecondGone: assignFrom(assigns.assignSecondLegGone),
    noteSecondsDropped: assignFrom(assigns.assignSecondLegsDropped),
    noteBridged: assignFrom(assigns.assignLegsBridged),
    noteUnbridged: assignFrom(assigns.assignLegsNeverBridged),

    noteRecording: assignWith(assignRecordingStarted),
    noteRecorded: assignFrom(assigns.assignRecordingFinished),
  },
  guards: callMachineGuards,
  delays: callMachineDelays,
});
