/**
 * Status callbacks of a call: which event is told when, and what it carries (spec 6; decisions/0014).
 *
 * The first event that the wish asks for starts the delivery that brings them all, the others are left for it in its
 * inbox: both in the commit of the step that they tell of, and nothing of the call waits for them.
 */
import type { CallCallbackEvent } from '../contracts/callback.ts';
import { redactCallbackUrl, wants } from '../contracts/callback.ts';
import type { CallCallback, DeliveryInput } from '../delivery/input.ts';
import { callEventTime, type CallContext, type CallActionArgs } from './context.ts';
import { dialAttemptsAllowed } from './numbers.ts';
import { callInsertColumnValues, callUpdateColumnValues } from './callTableRow.ts';
import { tellMachineEffect, type CallEffectRequest } from './hangUpAndQueueEffects.ts';

/** Which event a step tells of; undefined: none. */
export type DecideCallCallbackEvent = (scope: CallActionArgs) => CallCallbackEvent | undefined;

/** Ringing is told once an attempt, before it is noted. */
export const ringingCallbackEventIfDue: DecideCallCallbackEvent = ({ context }) =>
  context.dial.rangAt === 0 ? 'ringing' : undefined;

/** Digits are told when they make a response, after it is noted. */
export const dtmfCallbackEventIfDue: DecideCallCallbackEvent = ({ context: { told, talk } }) =>
  told && talk.responses.length > told.responses ? 'dtmf' : undefined;

/** A recording is told when its file is there. */
export const recordingCallbackEventIfDue: DecideCallCallbackEvent = ({ event }) =>
  event.type === 'recorded' ? 'recording' : undefined;

/** The last: a call that was answered is completed, any other failed. */
export const finalCallbackEvent: DecideCallCallbackEvent = ({ context }) =>
  context.dial.status === 'OK' ? 'completed' : 'failed';

/** Whether the call's wish asks for this event; final events are always told. */
export const isCallbackEventWanted = (
  { call: { callback } }: CallContext,
  event: CallCallbackEvent,
): boolean => callback !== undefined && (isFinal(event) || wants(callback, event));

const isFinal = (event: CallCallbackEvent): boolean => event === 'completed' || event === 'failed';

/** The event on its way: with the delivery's birth, or into its queue. */
export const requestCallCallbackDelivery = (
  scope: CallActionArgs,
  event: CallCallbackEvent,
): CallEffectRequest => {
  const { context } = scope;
  const { delivery, url } = context.call.callback!;
  const subject = subjectOf(scope, event);
  if (context.told!.events > 0)
    return tellMachineEffect(delivery, { type: 'enqueue', parcel: { subject, last: subject.final } });
  const input: DeliveryInput = {
    purpose: 'callback',
    subject,
    open: !subject.final,
    about: `call ${context.id}`,
    aboutId: context.id,
    target: redactCallbackUrl(url),
  };
  return { type: 'startMachine', params: { kind: 'delivery', id: delivery, input } };
};

const subjectOf = (scope: CallActionArgs, event: CallCallbackEvent): CallCallback => {
  const { context } = scope;
  const { call, told } = context;
  const final = isFinal(event);
  return {
    what: 'call',
    url: call.callback!.url,
    id: context.id,
    event,
    seq: told!.events + 1,
    at: callEventTime(scope),
    final,
    ...(!final && { record: recordOf(context) }),
    attempts: dialAttemptsAllowed(call),
    ...(call.campaign && { placeholders: call.placeholders }),
  };
};

/** The record so far, without its list of attempts, which grows and which no event carries. */
const recordOf = (context: CallContext): NonNullable<CallCallback['record']> =>
  Object.assign(callInsertColumnValues(context), callUpdateColumnValues(context, false, ''));

/** The context once an event was told. */
export const assignCallbackEventTold = (
  { context }: CallActionArgs,
  event: CallCallbackEvent,
): Partial<CallContext> => {
  const { told, talk } = context;
  const responses = event === 'dtmf' ? talk.responses.length : told!.responses;
  return { told: { events: told!.events + 1, responses } };
};
