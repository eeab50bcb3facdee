/**
 * Status callbacks of a message (spec 6; decisions/0014): the same way as those of a call (`call/statusCallbacks.ts`).
 *
 * The final event is the first of delivered, failed and undelivered; a message without any receipt ends with
 * undelivered, and its record says how far it is known to have come. `read` may follow where it is asked for.
 */
import type { DeliveryInput, MessageCallback } from '../delivery/input.ts';
import type { EngineEffects } from '../../src/engine/contract/effect.ts';
import { redactCallbackUrl, type MessageCallbackEvent, wants } from '../contracts/callback.ts';
import { type MessageContext, type MessageActionArgs, currentMessageRoute } from './contextAndAssigns.ts';
import { messageColumnsAtCreation, messageUpdateColumns } from './record.ts';

type Effects = Pick<EngineEffects, 'tell' | 'startMachine'>;
/** A request as data. */
export type MessageEffectRequest = {
  [Name in keyof Effects]: { type: Name; params: Effects[Name] };
}[keyof Effects];

/** An event, and where the chart stands as it is told: `done` for one of which nothing more was heard. */
export interface MessageCallbackAndState {
  event: MessageCallbackEvent;
  state: string;
}

/** Each is told once. */
export const isMessageCallbackEventWanted = (
  { message: { callback }, told }: MessageContext,
  { event }: MessageCallbackAndState,
): boolean => {
  if (callback === undefined) return false;
  return isFinal(event) ? !told!.final : wants(callback, event);
};

const isFinal = (event: MessageCallbackEvent): boolean => event !== 'sent' && event !== 'read';

/** Whether nothing may follow it: a message that was delivered may still be read, or just was. */
const isLast = (context: MessageContext, { event, state }: MessageCallbackAndState): boolean => {
  if (event !== 'delivered') return event !== 'sent';
  const mayBeRead = state === 'read' || currentMessageRoute(context).by !== 'sms';
  return !mayBeRead || !wants(context.message.callback!, 'read');
};

/** The event on its way: with the delivery's birth, or into its queue. */
export const requestMessageCallbackDelivery = (
  scope: MessageActionArgs,
  telling: MessageCallbackAndState,
): MessageEffectRequest => {
  const { id, message, told } = scope.context;
  const { delivery, url } = message.callback!;
  const subject = subjectOf(scope, telling);
  const last = isLast(scope.context, telling);
  if (told!.events > 0) {
    const event = { type: 'enqueue', parcel: { subject, last } };
    return { type: 'tell', params: { machine: delivery, event } };
  }
  const input: DeliveryInput = {
    purpose: 'callback',
    subject,
    open: !last,
    about: `message ${id}`,
    aboutId: id,
    target: redactCallbackUrl(url),
  };
  return { type: 'startMachine', params: { kind: 'delivery', id: delivery, input } };
};

const subjectOf = (
  { context, event: fact }: MessageActionArgs,
  { event, state }: MessageCallbackAndState,
): MessageCallback => ({
  what: 'message',
  url: context.message.callback!.url,
  id: context.id,
  event,
  seq: context.told!.events + 1,
  at: 'at' in fact ? fact.at : context.bornAt,
  final: isFinal(event),
  record: recordOf(context, state),
});

/** The record but for what was said in it, and the provider's own words: no event carries those. */
const recordOf = (context: MessageContext, state: string): MessageCallback['record'] => {
  const { body: _body, payload: _payload, ...born } = messageColumnsAtCreation(context);
  const { raw_answer: _answer, ...living } = messageUpdateColumns(context, state);
  return { ...born, ...living };
};

/** The context once an event was told. */
export const contextAfterCustomerCallback = (
  { context }: MessageActionArgs,
  telling: MessageCallbackAndState,
): Partial<MessageContext> => {
  const { events, final } = context.told!;
  return {
    told: { events: events + 1, final: final || isFinal(telling.event), open: !isLast(context, telling) },
  };
};

/** Nothing follows any more: a delivery that waits need not. */
export const requestCloseCallbackDelivery = ({
  context: { message, told },
}: MessageActionArgs): MessageEffectRequest[] =>
  told?.open
    ? [{ type: 'tell', params: { machine: message.callback!.delivery, event: { type: 'close' } } }]
    : [];
