/** The delivery desk: hands each delivery to the courier of its purpose, and says how it went. */
import type { DeliveryEffects, DeliveryEvent } from '../../../machines/vocabulary/delivery.ts';
import type { Couriers, Deliveries } from '../delivery.ts';
import { Retryable, Terminal, type EffectCall, type Performed } from '../performer.ts';

export const openDeliveryDesk = (couriers: Couriers): Deliveries => {
  const closing = new AbortController();

  const deliver = async (call: EffectCall<DeliveryEffects['deliver']>): Promise<Performed> => {
    const { purpose, subject, attempt } = call.params;
    const courier = couriers[purpose];
    if (!courier) throw new Terminal('noCourier', `nobody here carries ${purpose}`);
    const signal = AbortSignal.any([call.signal, closing.signal]);
    try {
      await courier.carry({ machine: call.machine, subject, attempt: call.attempt, signal });
    } catch (error) {
      // Broken off by our own end: nobody may count it as a failed attempt.
      if (closing.signal.aborted) return never;
      // The schedule of a delivery is the chart's, so a "not now" is a fact and not the engine's to repeat.
      if (error instanceof Retryable) return { events: [notDelivered(attempt, error)] };
      throw error;
    }
    return { events: [{ type: 'delivered', attempt } satisfies DeliveryEvent] };
  };

  return { performers: { deliver }, stop: () => closing.abort() };
};

/** The effect stays owed, and the next process performs it. */
const never = new Promise<never>(() => {});

const notDelivered = (attempt: number, { message, afterMs }: Retryable): DeliveryEvent => ({
  type: 'notDelivered',
  attempt,
  message,
  ...(afterMs !== undefined && { afterMs }),
});
