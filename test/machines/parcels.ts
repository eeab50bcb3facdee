/** What a machine hands to the delivery of its callbacks. */
import type { DeliveryInput } from '../../machines/delivery/input.ts';
import type { Parcel } from '../../machines/contracts/delivery.ts';
import type { Story } from './story.ts';

/** The parcels in their order; throws when a delivery would not take them so, or they are not counted from 1. */
export const parcelsOf = (told: Story): Parcel[] => {
  const parcels: Parcel[] = [];
  let open: boolean | undefined;
  for (const { name, params } of told.all) {
    const parcel = parcelIn(name, params);
    if (!parcel) continue;
    if ((name === 'startMachine') !== (open === undefined)) throw new Error('a delivery is not started once');
    if (open === false) throw new Error('a parcel follows the last');
    open = !parcel.last;
    parcels.push(parcel);
    const { seq } = parcel.subject as { seq: number };
    if (seq !== parcels.length) throw new Error(`event ${parcels.length} has the number ${seq}`);
  }
  return parcels;
};

const parcelIn = (name: string, params: Record<string, unknown>): Parcel | undefined => {
  if (name === 'startMachine') {
    const { subject, open = false } = params['input'] as DeliveryInput;
    return { subject, last: !open };
  }
  const event = params['event'] as { type: string; parcel: Parcel } | undefined;
  return name === 'tell' && event?.type === 'enqueue' ? event.parcel : undefined;
};

/** Whether the delivery was told that nothing more comes. */
export const isClosed = (told: Story): boolean =>
  told.all.some(
    ({ name, params }) => name === 'tell' && (params['event'] as { type: string }).type === 'close',
  );
