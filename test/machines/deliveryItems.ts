/** What a machine hands to the delivery of its callbacks. */
import type { DeliveryInput } from '../../machines/delivery/input.ts';
import type { ItemToDeliver } from '../../machines/contracts/delivery.ts';
import type { Story } from './story.ts';

/** The items in their order; throws when a delivery would not take them so, or they are not counted from 1. */
export const itemsOf = (told: Story): ItemToDeliver[] => {
  const items: ItemToDeliver[] = [];
  let open: boolean | undefined;
  for (const { name, params } of told.all) {
    const item = itemIn(name, params);
    if (!item) continue;
    if ((name === 'startMachine') !== (open === undefined)) throw new Error('a delivery is not started once');
    if (open === false) throw new Error('an item follows the last');
    open = !item.last;
    items.push(item);
    const { seq } = item.subject as { seq: number };
    if (seq !== items.length) throw new Error(`event ${items.length} has the number ${seq}`);
  }
  return items;
};

const itemIn = (name: string, params: Record<string, unknown>): ItemToDeliver | undefined => {
  if (name === 'startMachine') {
    const { subject, open = false } = params['input'] as DeliveryInput;
    return { subject, last: !open };
  }
  const event = params['event'] as { type: string; parcel: ItemToDeliver } | undefined;
  return name === 'tell' && event?.type === 'enqueue' ? event.parcel : undefined;
};

/** Whether the delivery was told that nothing more comes. */
export const isClosed = (told: Story): boolean =>
  told.all.some(
    ({ name, params }) => name === 'tell' && (params['event'] as { type: string }).type === 'close',
  );
