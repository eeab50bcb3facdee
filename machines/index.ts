/** The registry: every kind of machine, its charts by version, and what the engine should know of each. */
import { callStateMachine } from './call.ts';
import type { CallContext } from './call/context.ts';
import { callRecordTable } from './call/callTableRow.ts';
import { campaignStateMachine } from './campaign.ts';
import type { CampaignContext } from './campaign/context.ts';
import { DIAL_KEEPS_MS } from './call/guards.ts';
import { explainCampaign } from './campaign/explain.ts';
import { campaignRecordTable } from './campaign/campaignTableRow.ts';
import { explainCallWaitingForCampaignTurn } from './call/campaignGrant.ts';
import { listCallSounds, soundsOfCurrentCue } from './call/sounds.ts';
import { deliveryMachine } from './delivery.ts';
import type { DeliveryContext } from './delivery/contextAndAssigns.ts';
import { explainDelivery } from './delivery/explain.ts';
import { deliveryRecordTable } from './delivery/record.ts';
import type { Kind } from '../src/engine/contract/kind.ts';
import { line } from './callQueue.ts';
import { messageMachine } from './message.ts';
import type { MessageContext } from './message/contextAndAssigns.ts';
import { explainFailedMessage } from './message/explain.ts';
import { messageRecordTable } from './message/record.ts';
import type { QueueLineContext } from './callQueue/context.ts';
import { explainWaitingCallers } from './callQueue/explain.ts';
import { templateStateMachine } from './template.ts';
import type { TemplateContext } from './template/context.ts';
import { explainTemplate } from './template/explain.ts';
import { templateRecordTable } from './template/record.ts';

/** A call (spec 4.2). */
export const callMachineKind: Kind = {
  name: 'call',
  versions: { 1: callStateMachine },
  current: 1,
  effects: {
    originate: { delivery: 'atMostOnce', timeoutMs: 5_000, keepsMs: DIAL_KEEPS_MS },
    hangUp: { delivery: 'atLeastOnce', timeoutMs: 5_000, attempts: 8 },
    play: { delivery: 'atLeastOnce', timeoutMs: 5_000 },
    stopPlay: { delivery: 'atLeastOnce', timeoutMs: 5_000 },
    detectMachine: { delivery: 'atLeastOnce', timeoutMs: 5_000 },
    hold: { delivery: 'atLeastOnce', timeoutMs: 5_000 },
    bridge: { delivery: 'atLeastOnce', timeoutMs: 5_000 },
    unbridge: { delivery: 'atLeastOnce', timeoutMs: 5_000 },
    sendDigits: { delivery: 'atLeastOnce', timeoutMs: 10_000 },
    record: { delivery: 'atLeastOnce', timeoutMs: 5_000 },
    stopRecord: { delivery: 'atLeastOnce', timeoutMs: 5_000 },
    adopt: { delivery: 'atLeastOnce', timeoutMs: 10_000, attempts: 8 },
    lookUp: { delivery: 'atLeastOnce', timeoutMs: 10_000, attempts: 8 },
    prepareAudio: { delivery: 'atLeastOnce', timeoutMs: 30_000 },
    requestClearance: { delivery: 'atLeastOnce', timeoutMs: 5_000, attempts: 8 },
    withdrawClearance: { delivery: 'atLeastOnce', timeoutMs: 5_000 },
    blockNumber: { delivery: 'atLeastOnce', timeoutMs: 10_000, attempts: 8 },
    restNumber: { delivery: 'atLeastOnce', timeoutMs: 10_000, attempts: 8 },
    resolveTarget: { delivery: 'atLeastOnce', timeoutMs: 5_000 },
    sendSms: { delivery: 'atLeastOnce', timeoutMs: 10_000, attempts: 8 },
  },
  operatorEvents: ['cancel', 'retryNow', 'resolveUnknown'],
  record: callRecordTable,
  sounds: {
    all: (context) => listCallSounds(context as CallContext),
    playing: (context) => soundsOfCurrentCue(context as CallContext),
  },
  explain: (context) => [
    ...(context as CallContext).explanations,
    ...explainCallWaitingForCampaignTurn(context as CallContext),
  ],
};

/** A line: a queue, or an agent with a limit of calls at a time. Its machine id is `queue_id` or `ccba_id`. */
export const queueOrAgentMachineKind: Kind = {
  name: 'line',
  versions: { 1: line },
  current: 1,
  effects: {},
  // It is changed with its queue or agent, by those who may.
  operatorEvents: [],
  explain: (context) => explainWaitingCallers(context as QueueLineContext),
};

/** A campaign (spec 4.3). Its machine id is `cp_id`. */
export const campaignMachineKind: Kind = {
  name: 'campaign',
  versions: { 1: campaignStateMachine },
  current: 1,
  effects: {
    generateDestinations: { delivery: 'atLeastOnce', timeoutMs: 600_000, attempts: 5 },
    planWindows: { delivery: 'atLeastOnce', timeoutMs: 10_000, attempts: 8 },
    fetchDestinations: { delivery: 'atLeastOnce', timeoutMs: 10_000, attempts: 8 },
    findLostCalls: { delivery: 'atLeastOnce', timeoutMs: 10_000 },
    findLiveCalls: { delivery: 'atLeastOnce', timeoutMs: 30_000, attempts: 8 },
    addressResults: { delivery: 'atLeastOnce', timeoutMs: 10_000, attempts: 8 },
  },
  operatorEvents: ['windowsChanged', 'reload'],
  record: campaignRecordTable,
  explain: (context) => explainCampaign(context as CampaignContext),
};

/** A file or a callback on its way to a customer's own system (spec 4.3 `relftp`). */
export const deliveryMachineKind: Kind = {
  name: 'delivery',
  versions: { 1: deliveryMachine },
  current: 1,
  effects: { deliver: { delivery: 'atLeastOnce', timeoutMs: 1_800_000, attempts: 3 } },
  lowPriority: true,
  operatorEvents: ['retryNow', 'replay', 'cancel'],
  record: deliveryRecordTable,
  explain: (context) => explainDelivery(context as DeliveryContext),
};

/** A message: an SMS or a chat message (spec 4.12, 4.14, 4.20, 4.21). Its machine id is `cdls_id`. */
export const messageMachineKind: Kind = {
  name: 'message',
  versions: { 1: messageMachine },
  current: 1,
  effects: {
    // Tried again only when the carrier surely took nothing: it throttles, its link is busy, or there is no connection.
    submitSms: { delivery: 'atMostOnce', timeoutMs: 120_000, attempts: 25 },
    submitChat: { delivery: 'atMostOnce', timeoutMs: 60_000 },
  },
  operatorEvents: ['resolveUnknown'],
  record: messageRecordTable,
  explain: (context) => explainFailedMessage(context as MessageContext),
};

/** A Msgapp template (spec 4.16 to 4.19). Its machine id is `cwt_id`. */
const templateKind: Kind = {
  name: 'template',
  versions: { 1: templateStateMachine },
  current: 1,
  effects: {
    submitTemplate: { delivery: 'atMostOnce', timeoutMs: 60_000 },
    findTemplate: { delivery: 'atLeastOnce', timeoutMs: 60_000, attempts: 2 },
    checkTemplate: { delivery: 'atLeastOnce', timeoutMs: 60_000, attempts: 2 },
    deleteTemplate: { delivery: 'atLeastOnce', timeoutMs: 60_000, attempts: 4 },
  },
  operatorEvents: ['checkNow'],
  record: templateRecordTable,
  explain: (context) => explainTemplate(context as TemplateContext),
};

/** All kinds, in the order a reader would want. */
export const machineKinds: readonly Kind[] = [
  callMachineKind,
  queueOrAgentMachineKind,
  campaignMachineKind,
  messageMachineKind,
  templateKind,
  deliveryMachineKind,
];
