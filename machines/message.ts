/**
 * A message: an SMS or a chat message, from its acceptance to its last receipt (spec 4.12, 4.14, 4.20, 4.21;
 * decisions/0011).
 *
 * It is paid for in the commit that bears it, and what it cost is given back in the step that hears it was refused or
 * failed. It is sent at most once: where the outcome is not known, it waits for a receipt, or for an operator.
 */
import { assign, enqueueActions, setup } from 'xstate';
import { declareEffect, engineEffects, type EventTimestamp } from '../src/engine/contract/effect.ts';
import * as callbacks from './message/callbacks.ts';
import type { MessageEffectRequest, MessageCallbackAndState } from './message/callbacks.ts';
import * as assigns from './message/contextAndAssigns.ts';
import {
  type MessageMachineEvent,
  type MessageContext,
  type MessageActionArgs,
  initialMessageContext,
  currentMessageRoute,
} from './message/contextAndAssigns.ts';
import type { MessageInput } from './message/input.ts';
import type { MessageCallbackEvent } from './contracts/callback.ts';
import type { MessageEffects, MessageReceiptStatus } from './contracts/message.ts';

const assignFrom = (update: (scope: MessageActionArgs) => Partial<MessageContext>) =>
  assign<MessageContext, MessageMachineEvent, undefined, MessageMachineEvent, never>(({ context, event }) =>
    update({ context, event }),
  );

const assignWith = <Params extends object>(
  update: (scope: MessageActionArgs, params: Params) => Partial<MessageContext>,
) =>
  assign<MessageContext, MessageMachineEvent, Params, MessageMachineEvent, never>(
    ({ context, event }, params) => update({ context, event }, params),
  );

/** Tells an event to the callback delivery, where the wish asks for it, and records that it was told. */
const notify = enqueueActions<
  MessageContext,
  MessageMachineEvent,
  MessageCallbackAndState,
  MessageMachineEvent,
  never,
  MessageEffectRequest | Noted,
  never,
  never,
  never
>(({ context, event, enqueue }, told) => {
  if (!callbacks.isMessageCallbackEventWanted(context, told)) return;
  enqueue(callbacks.requestMessageCallbackDelivery({ context, event }, told));
  enqueue({ type: 'noteEvent', params: told });
});
type Noted = { type: 'noteEvent'; params: MessageCallbackAndState };

const closing = enqueueActions<
  MessageContext,
  MessageMachineEvent,
  undefined,
  MessageMachineEvent,
  never,
  MessageEffectRequest,
  never,
  never,
  never
>(({ context, event, enqueue }) => {
  for (const asked of callbacks.requestCloseCallbackDelivery({ context, event })) enqueue(asked);
});

/** Whether a receipt says so. */
const says =
  (...statuses: readonly MessageReceiptStatus[]) =>
  ({ event }: MessageActionArgs): boolean =>
    event.type === 'receipt' && statuses.includes(event.status);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const machineSetup = setup({
  types: {
    context: {} as MessageContext,
    events: {} as MessageMachineEvent,
    input: {} as MessageInput & EventTimestamp & { id: number },
  },
  actions: {
    ...engineEffects,
    submitSms: declareEffect<MessageEffects['submitSms']>(),
    submitChat: declareEffect<MessageEffects['submitChat']>(),
    tellEvent: notify,
    tellClosed: closing,
    noteEvent: assignWith(callbacks.contextAfterCustomerCallback),
    noteSubmitted: assignFrom(assigns.assignMessageSubmittedAt),
    noteSlow: assignFrom(assigns.assignMessageSlow),
    noteAcknowledged: assignFrom(assigns.assignMessageAcknowledged),
    noteLateAnswer: assignFrom(assigns.assignMessageProviderAnswer),
    noteNextRoute: assignFrom(assigns.assignNextMessageRoute),
    noteFailed: assignFrom(assigns.assignMessageFailed),
    noteFailedLater: assignFrom(assigns.assignMessageFailedLater),
    noteUnknown: assignFrom(assigns.assignMessageOutcomeUnknown),
    noteDelivered: assignFrom(assigns.assignMessageDelivered),
    noteRead: assignFrom(assigns.assignMessageRead),
    notePricing: assignFrom(assigns.assignMessagePricing),
    noteRefunded: assignFrom(assigns.assignMessageRefunded),
  },
  guards: {
    isSms: ({ context }: MessageActionArgs) => currentMessageRoute(context).by === 'sms',
    hasAnotherRoute: assigns.hasAnotherRoute,
    isComplete: ({ context }: MessageActionArgs) => context.deliveredAt > 0,
    isSent: says('sent'),
    isPriced: assigns.isFirstPricingReceipt,
    isDelivered: says('delivered'),
    isRead: says('read'),
    isFailed: says('failed'),
    isUndelivered: says('undelivered'),
    wasSent: ({ event }: MessageActionArgs) => event.type === 'resolveUnknown' && event.sent,
  },
  delays: {
    /** Longer than the effect may take with all its tries; a lost answer ends as unknown. */
    answerGuard: () => 30 * MINUTE,
    /** SMS receipts come within the validity of the message. */
    smsReceipts: () => 3 * DAY,
    /** Chat messages are kept upstream for a month, and read whenever. */
    chatReceipts: () => 30 * DAY,
    /** A receipt of delivery may come after that of reading. */
    stragglers: () => 10 * MINUTE,
  },
});

const reach = (milestone: string) => ({ type: 'reach', params: { milestone } }) as const;

/** Posts this event to the message's callback address, once, where its wish asks for it. */
const tells = (event: MessageCallbackEvent, state: string = event) =>
  ({ type: 'tellEvent', params: { event, state } }) as const;
const tellSent = tells('sent', 'acknowledged');
/**
 * No more receipts come. Unless its end was told, it is now: as undelivered, because it is not known to have arrived.
 */
const tellEnd = [tells('undelivered', 'done'), 'tellClosed'] as const;

const submit = machineSetup.enqueueActions(({ context, enqueue }) => {
  const route = currentMessageRoute(context);
  if (route.by === 'sms') enqueue({ type: 'submitSms', params: route.submission });
  else enqueue({ type: 'submitChat', params: route.submission });
});

const refund = machineSetup.enqueueActions(({ context, enqueue }) => {
  if (context.refunded || context.message.refund.length === 0) return;
  for (const booking of context.message.refund) enqueue({ type: 'book', params: booking });
  enqueue('noteRefunded');
});

/** Releases the claims of the duplicate window, so that a refused message can be sent again. */
const releaseClaims = machineSetup.enqueueActions(({ context, enqueue }) => {
  for (const key of context.message.freedWhenRefused ?? []) enqueue({ type: 'release', params: { key } });
});

/** The answer may come after a receipt that overtook it. */
const lateAnswer = { acknowledged: { actions: 'noteLateAnswer' } } as const;

const receipts = {
  receipt: [
    { guard: 'isDelivered', target: '#message.delivered', actions: 'noteDelivered' },
    { guard: 'isRead', target: '#message.read', actions: 'noteRead' },
    { guard: 'isFailed', target: '#message.failed', actions: 'noteFailedLater' },
    { guard: 'isUndelivered', target: '#message.undelivered', actions: 'noteFailedLater' },
    // That it was sent is known; what it is counted as may not be.
    { guard: 'isPriced', actions: 'notePricing' },
  ],
} as const;

/** A receipt may overtake the acknowledgement; then it stands for both, and one that says no is the answer. */
const earlyReceipts = {
  receipt: [
    {
      guard: 'isDelivered',
      target: '#message.delivered',
      actions: ['noteAcknowledged', tellSent, 'noteDelivered'],
    },
    { guard: 'isRead', target: '#message.read', actions: ['noteAcknowledged', tellSent, 'noteRead'] },
    { guard: 'isFailed', target: '#message.failed', actions: 'noteFailedLater' },
    { guard: 'isUndelivered', target: '#message.undelivered', actions: 'noteFailedLater' },
    { guard: 'isSent', target: '#message.acknowledged', actions: 'noteAcknowledged' },
  ],
} as const;

const anotherRoute = [
  { guard: 'hasAnotherRoute', target: '#message.accepted', actions: 'noteNextRoute', reenter: true },
  { target: '#message.failed', actions: 'noteFailed' },
] as const;

/** What a submission ends with. */
const answers = {
  acknowledged: { target: '#message.acknowledged', actions: 'noteAcknowledged' },
  refused: { target: '#message.failed', actions: 'noteFailed' },
  unavailable: anotherRoute,
  submitSmsFailed: anotherRoute,
  submitChatFailed: anotherRoute,
  outcomeUnknown: { target: '#message.unknown', actions: 'noteUnknown' },
  ...earlyReceipts,
} as const;

export const messageMachine = machineSetup.createMachine({
  id: 'message',
  context: ({ input }) => initialMessageContext(input),
  initial: 'accepted',
  states: {
    /** Durable and paid for; a provider is asked to take it. */
    accepted: {
      entry: ['noteSubmitted', submit],
      on: { ...answers, slow: { target: 'submitted', actions: 'noteSlow' } },
      after: { answerGuard: { target: 'unknown', actions: 'noteUnknown' } },
    },
    /** It is on the wire and the provider takes its time; the caller was told `WR`. */
    submitted: {
      entry: reach('answered'),
      on: answers,
      after: { answerGuard: { target: 'unknown', actions: 'noteUnknown' } },
    },
    /** The provider took it. Receipts follow, or not. */
    acknowledged: {
      entry: [reach('answered'), tellSent],
      initial: 'choosing',
      on: { ...receipts, ...lateAnswer },
      states: {
        choosing: { always: [{ guard: 'isSms', target: 'sms' }, { target: 'chat' }] },
        sms: { after: { smsReceipts: '#message.done' } },
        chat: { after: { chatReceipts: '#message.done' } },
      },
    },
    /** It is there. An SMS says no more; a chat message may still be read. */
    delivered: {
      entry: [reach('answered'), tells('delivered')],
      always: { guard: 'isSms', target: 'done' },
      on: {
        ...lateAnswer,
        receipt: { guard: 'isRead', target: 'done', actions: ['noteRead', tells('read')] },
      },
      after: { chatReceipts: 'done' },
    },
    /** Read, and the receipt of its delivery may still be under way. */
    read: {
      entry: [reach('answered'), tells('delivered', 'read'), tells('read')],
      always: { guard: 'isComplete', target: 'done' },
      on: { ...lateAnswer, receipt: { guard: 'isDelivered', target: 'done', actions: 'noteDelivered' } },
      after: { stragglers: 'done' },
    },
    /** Whether the provider accepted it is unknown. It is not sent again; a receipt or an operator tells. */
    unknown: {
      entry: reach('answered'),
      on: {
        acknowledged: answers.acknowledged,
        refused: answers.refused,
        // It is known after all that this route was not taken, and no caller waits for another any more.
        unavailable: answers.refused,
        submitSmsFailed: answers.refused,
        submitChatFailed: answers.refused,
        ...earlyReceipts,
        resolveUnknown: [
          { guard: 'wasSent', target: 'acknowledged', actions: 'noteAcknowledged' },
          { target: 'failed', actions: 'noteFailed' },
        ],
      },
      after: { smsReceipts: 'lost' },
    },
    /** As far as it goes. */
    done: { type: 'final', entry: [reach('ended'), ...tellEnd], on: { '*': {} } },
    /** Refused, or it failed later: what it cost is given back. */
    failed: {
      type: 'final',
      entry: [refund, releaseClaims, reach('answered'), reach('ended'), tells('failed')],
      on: { '*': {} },
    },
    /** The provider could not bring it to the person: neither is that paid. */
    undelivered: {
      type: 'final',
      entry: [refund, reach('answered'), reach('ended'), tells('undelivered')],
      on: { '*': {} },
    },
    /** It was never heard of again; what it cost stays paid, as it may well have been sent. */
    lost: { type: 'final', entry: [reach('ended'), ...tellEnd], on: { '*': {} } },
  },
  options: { maxIterations: 10 },
});
