/** A destination list as GetDestinationsList shows it (spec 2.4). */
import * as z from 'zod';
import { toLocal } from '../lib/localTime.ts';
import { countSchema, day } from './shapes.ts';

export const destinationListApiRecordSchema = z.object({
  cdlc_id: z.int().describe('List id.'),
  cdlc_active: z.union([z.literal(0), z.literal(1)]).describe('1 active, 0 inactive.'),
  cdlc_ctid: z.string().describe('Customer-side id.'),
  cdlc_name: z.string().describe('Name.'),
  cdlc_file: z.string().describe('Name of the file it came from; empty: none.'),
  cdlc_date: day('Day of its making, YYYY-MM-DD.'),
  cdlc_num: countSchema('Destinations.'),
});
export type DestinationListApiRecord = z.output<typeof destinationListApiRecordSchema>;

/** `zone`: IANA name of the account's time zone. */
export const formatDestinationListRecord = (
  list: {
    id: number;
    active: boolean;
    correlation: string;
    name: string;
    file: string;
    created_at: number;
    records: number;
  },
  zone: string,
): DestinationListApiRecord => ({
  cdlc_id: list.id,
  cdlc_active: list.active ? 1 : 0,
  cdlc_ctid: list.correlation,
  cdlc_name: list.name,
  cdlc_file: list.file,
  cdlc_date: toLocal(list.created_at, zone).date,
  cdlc_num: list.records,
});
