/** What a message remembers, and how a fact changes it. Plain JSON, pure. */
import type { EffectFailedEvent, EventFromEngine, EventTimestamp } from '../../src/engine/contract/effect.ts';
import type { MessageEffects, MessageEvent, UpstreamChatPricing } from '../contracts/message.ts';
import type { MessageInput, MessageRoute } from './input.ts';

/** What the operation answers, or would have answered. */
export interface MessageOperationAnswer {
  /** `0` accepted, `1` slow, else why not: the provider's code, `300`, `unknown` … */
  code: string;
  text: string;
}

/** What was told of a message. */
export interface Told {
  events: number;
  /** The final one was told. */
  final: boolean;
  /** The delivery waits for more. */
  open: boolean;
}

export interface MessageContext {
  id: number;
  bornAt: number;
  message: MessageInput;
  /** Which of the routes is tried, from 0. */
  routeIndex: number;
  outcome: MessageOperationAnswer;
  providerId: string;
  /** What the provider said, cut short. */
  answer: string;
  refunded: boolean;
  /** Moments, epoch milliseconds; 0: not yet. */
  submittedAt: number;
  acknowledgedAt: number;
  deliveredAt: number;
  readAt: number;
  failedAt: number;
  /** What the upstream counts it as; absent: it has not said. What it is sold for is another matter. */
  pricing?: UpstreamChatPricing;
  /** Of a message with a callback: what was told. */
  told?: Told;
}

export type OperatorEvent =
  /** What became of one whose outcome is unknown, as the provider's own console shows it. */
  { type: 'resolveUnknown'; sent: boolean };

export type MessageMachineEvent =
  | ((MessageEvent | OperatorEvent) & EventTimestamp)
  | EffectFailedEvent<'submitSms', MessageEffects['submitSms']>
  | EffectFailedEvent<'submitChat', MessageEffects['submitChat']>
  | EventFromEngine;

export interface MessageActionArgs {
  context: MessageContext;
  event: MessageMachineEvent;
}

type Assigner = (scope: MessageActionArgs) => Partial<MessageContext>;

/** What is kept of a provider's answer, characters. */
const ANSWER_LENGTH = 4_000;
const TEXT_LENGTH = 500;

export const initialMessageContext = ({
  at,
  id,
  ...message
}: MessageInput & { at: number; id: number }): MessageContext => ({
  id,
  bornAt: at,
  message,
  routeIndex: 0,
  outcome: { code: '', text: '' },
  providerId: '',
  answer: '',
  refunded: false,
  submittedAt: 0,
  acknowledgedAt: 0,
  deliveredAt: 0,
  readAt: 0,
  failedAt: 0,
  ...(message.callback && { told: { events: 0, final: false, open: false } }),
});

export const currentMessageRoute = ({ message, routeIndex }: MessageContext): MessageRoute =>
  message.routes[routeIndex]!;

export const hasAnotherRoute = ({ context }: MessageActionArgs): boolean =>
  context.routeIndex + 1 < context.message.routes.length;

/** A route was asked; the first one at birth, which no fact tells. */
export const assignMessageSubmittedAt: Assigner = ({ context, event }) => ({
  submittedAt: 'at' in event ? event.at : context.bornAt,
});

export const assignMessageSlow: Assigner = () => ({ outcome: { code: '1', text: 'WR' } });

export const assignMessageAcknowledged: Assigner = (scope) => ({
  outcome: { code: '0', text: 'OK' },
  acknowledgedAt: scope.context.acknowledgedAt || scope.event.at,
  ...assignMessageProviderAnswer(scope),
  ...assignMessagePricing(scope),
});

/** Under what id the provider took it, and its words; a receipt may name the id before the answer does. */
export const assignMessageProviderAnswer: Assigner = ({ context, event }) => {
  if (event.type === 'acknowledged')
    return { providerId: event.providerId, answer: event.answer.slice(0, ANSWER_LENGTH) };
  const told = event.type === 'receipt' ? event.providerId : undefined;
  return told === undefined || context.providerId !== '' ? {} : { providerId: told };
};

/** A route that refused is not the outcome: the next one is tried. */
export const assignNextMessageRoute: Assigner = ({ context, event }) => ({
  routeIndex: context.routeIndex + 1,
  ...(event.type === 'unavailable' && { answer: event.answer.slice(0, ANSWER_LENGTH) }),
});

/** A refusal: of the provider, of a receipt, or our own when no connection could be made. */
const saidNo: Assigner = ({ event }) => {
  switch (event.type) {
    case 'refused':
      return { outcome: outcome(event.code, event.text), answer: event.answer.slice(0, ANSWER_LENGTH) };
    case 'unavailable':
      return { outcome: outcome('unavailable', event.text), answer: event.answer.slice(0, ANSWER_LENGTH) };
    case 'submitSmsFailed':
    case 'submitChatFailed':
      return { outcome: outcome(event.reason, event.message) };
    case 'resolveUnknown':
      return { outcome: outcome('failed', 'an operator says that it was not sent') };
    default:
      return {};
  }
};

export const assignMessageFailed: Assigner = (scope) => ({ ...saidNo(scope), failedAt: scope.event.at });

/** A receipt that says no; when it was acknowledged stays known. */
export const assignMessageFailedLater: Assigner = (scope) => {
  const { event } = scope;
  if (event.type !== 'receipt') return { failedAt: event.at };
  const { code = '', text = '', occurredAt } = event;
  return {
    ...assignMessageProviderAnswer(scope),
    failedAt: occurredAt || event.at,
    outcome: outcome(code || 'failed', text || 'the provider says it failed'),
  };
};

export const assignMessageOutcomeUnknown: Assigner = () => ({
  outcome: outcome('unknown', 'it is not known whether the provider took it; it is not sent again'),
});

export const assignMessageDelivered: Assigner = (scope) => ({
  deliveredAt: scope.context.deliveredAt || occurred(scope.event),
  ...assignMessagePricing(scope),
});

/** What was read had been delivered, even where that receipt is still under way. */
export const assignMessageRead: Assigner = (scope) => ({
  readAt: scope.context.readAt || occurred(scope.event),
  ...assignMessagePricing(scope),
});

/** A receipt may say what the upstream counts it as. */
export const assignMessagePricing: Assigner = ({ event }) =>
  event.type === 'receipt' && event.pricing ? { pricing: event.pricing } : {};

/** It says so for the first time. */
export const isFirstPricingReceipt = ({ context, event }: MessageActionArgs): boolean =>
  event.type === 'receipt' && event.status === 'sent' && event.pricing !== undefined && !context.pricing;

export const assignMessageRefunded: Assigner = () => ({ refunded: true });

const occurred = (event: MessageMachineEvent): number =>
  event.type === 'receipt' ? event.occurredAt || event.at : event.at;

const outcome = (code: string, text: string): MessageOperationAnswer => ({
  code,
  text: text.slice(0, TEXT_LENGTH),
});
