/** The delivery dispatcher: hands each delivery to the transport of its purpose, and says how it went. */
import type { DeliveryEffects, DeliveryEvent } from '../../../machines/contracts/delivery.ts';
import {
  type DeliveryTransportByPurpose,
  type StoppableDeliveryPerformer,
  DeliveryPostponedError,
  PartialDeliveryError,
  CircuitOpen,
} from '../contracts/delivery.ts';
import {
  Retryable,
  NotRetryable,
  type EffectCall,
  type EffectResult,
} from '../../engine/contract/performer.ts';

export const openDeliveryDispatcher = (
  transports: DeliveryTransportByPurpose,
): StoppableDeliveryPerformer => {
  const closing = new AbortController();

  const carry = async (call: EffectCall<DeliveryEffects['deliver']>): Promise<DeliveryEvent> => {
    const { purpose, subject, attempt, resume, insists } = call.params;
    const transport = transports[purpose];
    if (!transport) throw new NotRetryable('noTransport', `this service carries no ${purpose}`);
    const signal = AbortSignal.any([call.signal, closing.signal]);
    const more = await transport.carry({
      machine: call.machine,
      subject,
      attempt: call.attempt,
      resume,
      insists,
      signal,
    });
    return more ? { type: 'partly', attempt, resume: more.resume } : { type: 'delivered', attempt };
  };

  const deliver = async (call: EffectCall<DeliveryEffects['deliver']>): Promise<EffectResult> => {
    try {
      return { events: [await carry(call)] };
    } catch (error) {
      // Our own shutdown broke it off: it must not count as a failed attempt.
      if (closing.signal.aborted) return never;
      return { events: [factOf(call.params.attempt, error)] };
    }
  };

  return { performers: { deliver }, stop: () => closing.abort() };
};

/** The effect stays owed, and the next process performs it. */
const never = new Promise<never>(() => {});

/** The schedule of a delivery is the chart's, so a "not now" is a fact and not the engine's to repeat. */
const factOf = (attempt: number, error: unknown): DeliveryEvent => {
  if (error instanceof DeliveryPostponedError) {
    const { message, afterMs } = error;
    return {
      type: 'deferred',
      attempt,
      message,
      afterMs,
      ...(error instanceof CircuitOpen && { leftAlone: true }),
    };
  }
  if (!(error instanceof Retryable)) throw error;
  return {
    ...{ type: 'notDelivered', attempt, message: error.message },
    ...(error.afterMs !== undefined && { afterMs: error.afterMs }),
    ...(error instanceof PartialDeliveryError && { resume: error.resume }),
  };
};
