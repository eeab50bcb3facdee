/** Why a delivery has not arrived. */
import type { Explanation } from '../kind.ts';
import type { DeliveryContext } from './context.ts';

/** One sentence: how its last attempt failed, and until when it waits. */
export const explainDelivery = (context: DeliveryContext): Explanation[] => {
  const { failure, attempts, nextAt, deliveredAt } = context;
  if (failure === null || deliveredAt > 0) return [];
  const detail = `attempt ${attempts} to reach ${context.delivery.target} failed: ${failure.message}`;
  return [{ rule: failure.reason, detail, at: failure.at, ...(nextAt > 0 && { until: nextAt }) }];
};
