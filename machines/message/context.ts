/** What a message remembers, and how a fact changes it. Plain JSON, pure. */
import type { EffectFailure, EngineEvent, Stamp } from '../effect.ts';
import type { MessageEffects, MessageEvent } from '../vocabulary/message.ts';
import type { MessageInput, Way } from './input.ts';

/** What the operation answers, or would have answered. */
export interface Outcome {
  /** `0` accepted, `1` slow, else why not: the provider's code, `300`, `unknown` … */
  code: string;
  text: string;
}

export interface MessageContext {
  id: number;
  bornAt: number;
  message: MessageInput;
  /** The way under trial. */
  way: number;
  outcome: Outcome;
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
}

export type OperatorEvent =
  /** What became of one whose outcome is unknown, as the provider's own console shows it. */
  { type: 'resolveUnknown'; sent: boolean };

export type Heard =
  | ((MessageEvent | OperatorEvent) & Stamp)
  | EffectFailure<'submitSms', MessageEffects['submitSms']>
  | EffectFailure<'submitChat', MessageEffects['submitChat']>
  | EngineEvent;

export interface MessageScope {
  context: MessageContext;
  event: Heard;
}

type Note = (scope: MessageScope) => Partial<MessageContext>;

/** What is kept of a provider's answer, characters. */
const ANSWER_LENGTH = 4_000;
const TEXT_LENGTH = 500;

export const newMessage = ({
  at,
  id,
  ...message
}: MessageInput & { at: number; id: number }): MessageContext => ({
  id,
  bornAt: at,
  message,
  way: 0,
  outcome: { code: '', text: '' },
  providerId: '',
  answer: '',
  refunded: false,
  submittedAt: 0,
  acknowledgedAt: 0,
  deliveredAt: 0,
  readAt: 0,
  failedAt: 0,
});

export const wayOf = ({ message, way }: MessageContext): Way => message.ways[way]!;

export const hasAnotherWay = ({ context }: MessageScope): boolean =>
  context.way + 1 < context.message.ways.length;

export const submitted: Note = ({ context, event }) => ({
  submittedAt: context.submittedAt || event.at,
});

export const slow: Note = () => ({ outcome: { code: '1', text: 'WR' } });

export const acknowledged: Note = ({ context, event }) => {
  const known = event.type === 'acknowledged' ? event : undefined;
  const told = event.type === 'receipt' ? event.providerId : undefined;
  return {
    outcome: { code: '0', text: 'OK' },
    acknowledgedAt: context.acknowledgedAt || event.at,
    providerId: known?.providerId ?? context.providerId ?? told ?? '',
    ...(known && { answer: known.answer.slice(0, ANSWER_LENGTH) }),
    ...(told !== undefined && context.providerId === '' && { providerId: told }),
  };
};

/** What the way said stays in the log; what a caller is told waits for the next one. */
export const nextWay: Note = (scope) => {
  const { outcome: _, ...said } = saidNo(scope);
  return { way: scope.context.way + 1, ...said };
};

/** A no, whoever gave it: the provider, a receipt, or we when we could not reach anyone. */
export const saidNo: Note = ({ event }) => {
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

export const failed: Note = (scope) => ({ ...saidNo(scope), failedAt: scope.event.at });

/** A receipt that says no comes after the answer: what was answered stays, and why is added. */
export const failedLater: Note = ({ event }) => {
  if (event.type !== 'receipt') return { failedAt: event.at };
  const { code = '', text = '', occurredAt } = event;
  return {
    failedAt: occurredAt || event.at,
    outcome: outcome(code || 'failed', text || 'the provider says it failed'),
  };
};

export const unknown: Note = () => ({
  outcome: outcome('unknown', 'it is not known whether the provider took it; it is not sent again'),
});

export const delivered: Note = ({ context, event }) => ({
  deliveredAt: context.deliveredAt || occurred(event),
});

/** What was read had been delivered, even where that receipt is still under way. */
export const read: Note = ({ context, event }) => ({ readAt: context.readAt || occurred(event) });

export const refunded: Note = () => ({ refunded: true });

const occurred = (event: Heard): number =>
  event.type === 'receipt' ? event.occurredAt || event.at : event.at;

const outcome = (code: string, text: string): Outcome => ({ code, text: text.slice(0, TEXT_LENGTH) });
