/** The items of a delivery: in their order, and no more than can be kept. */
import type { ItemToDeliver } from '../contracts/delivery.ts';

/** Items that a delivery holds; they are written with each of its steps. */
export const MAX_DELIVERY_QUEUE_LENGTH = 64;

/**
 * Whether a delivery's result is that of this item. Events of a call or message have a final one among them, and the
 * others do not count; all else does.
 */
export const doesItemDecideDeliveryResult = ({ subject }: ItemToDeliver): boolean =>
  (subject as { final?: boolean }).final !== false;

/**
 * The queue with one more at its end. When it is full, the oldest of those that wait and do not count is left out:
 * what is newer says more, and the gap in their numbers (`seq`) tells the receiver. The head is under way and stays.
 */
export const enqueueDeliveryItem = (
  queue: readonly ItemToDeliver[],
  item: ItemToDeliver,
): { queue: ItemToDeliver[]; leftOut: number } => {
  if (queue.length < MAX_DELIVERY_QUEUE_LENGTH) return { queue: [...queue, item], leftOut: 0 };
  const eldest = queue.findIndex((waiting, place) => place > 0 && !doesItemDecideDeliveryResult(waiting));
  if (eldest < 0) return { queue: [...queue], leftOut: 1 };
  return { queue: [...queue.toSpliced(eldest, 1), item], leftOut: 1 };
};
