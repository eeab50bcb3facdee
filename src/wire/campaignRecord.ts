/**
 * The campaign of the contract (spec 2.3). Odd on purpose: keys that end in a space, the text `null` for what a
 * campaign does not have, numbers as text where the contract has text.
 */
import * as z from 'zod';
import { toLocal } from '../lib/localTime.ts';
import type { CampaignRow } from '../store/reads/campaigns/campaigns.ts';
import { countSchema, day } from './shapes.ts';

const hourAndMinute = (description: string) =>
  z
    .string()
    .regex(/^\d{2}:\d{2}$/)
    .describe(description);
const bit = (description: string) => z.enum(['0', '1']).describe(description);

export const campaignApiRecordSchema = z.object({
  cp_id: z.int().describe('Campaign id.'),
  cp_name: z.string().describe('Name.'),
  cp_ctid: z.string().describe('Customer-side id; the text null when there is none.'),
  'cp_group ': z
    .string()
    .describe('Name of its group; the text null when there is none. The key ends in a blank.'),
  'cp_active ': bit('1 active, 0 paused. The key ends in a blank.'),
  'cp_ontime ': bit('1: active, and now is within its days and hours. The key ends in a blank.'),
  cp_date_start: day('First day, YYYY-MM-DD.'),
  cp_date_end: day('Last day, YYYY-MM-DD.'),
  cp_time_start: hourAndMinute('From this time of day, HH:MM.'),
  cp_time_end: hourAndMinute('To this time of day, HH:MM.'),
  cp_destinations: countSchema('Destinations that are to be called.'),
  cp_lig_min: z
    .string()
    .regex(/^(\d+|max)$/)
    .describe('Calls per minute, or max.'),
  cp_pas: z
    .string()
    .regex(/^(\d+|null)$/)
    .describe('Most transfers at a time; the text null: no limit.'),
  cp_made: countSchema('Destinations dialled at least once.'),
  cp_answered: countSchema('Destinations that answered.'),
  cp_transfered: z
    .string()
    .regex(/^(\d+|null)$/)
    .describe('Transfers; the text null where it makes none.'),
  cp_model: z.union([z.literal(0), z.literal(1)]).describe('1: a model, to be cloned and never dialled.'),
  cp_state: z
    .enum(['loading', 'active', 'paused', 'completed', 'limitReached', 'expired', 'failed'])
    .describe('Its state.'),
});
export type CampaignApiRecord = z.output<typeof campaignApiRecordSchema>;

const none = 'null';

/** `now`: epoch milliseconds; `zone`: the account's. */
export const formatCampaignRecord = (row: CampaignRow, now: number, zone: string): CampaignApiRecord => ({
  cp_id: row.id,
  cp_name: row.name,
  cp_ctid: row.correlation === '' ? none : row.correlation,
  'cp_group ': row.group_name ?? none,
  'cp_active ': row.active ? '1' : '0',
  'cp_ontime ': isOnTime(row, now, zone) ? '1' : '0',
  cp_date_start: row.date_start,
  cp_date_end: row.date_end,
  cp_time_start: row.time_start.slice(0, 5),
  cp_time_end: row.time_end.slice(0, 5),
  cp_destinations: row.destinations,
  cp_lig_min: row.calls_per_minute === null ? 'max' : String(row.calls_per_minute),
  cp_pas: row.max_transfers === null ? none : String(row.max_transfers),
  cp_made: row.made,
  cp_answered: row.answered,
  cp_transfered: row.transfers ? String(row.transferred) : none,
  cp_model: row.model ? 1 : 0,
  cp_state: row.state as CampaignApiRecord['cp_state'],
});

/** Active, and now inside the days and the daily window, on the account's wall clock. */
const isOnTime = (row: CampaignRow, now: number, zone: string): boolean => {
  const { date, time } = toLocal(now, zone);
  const today = row.date_start <= date && date <= row.date_end;
  return row.active && today && row.time_start <= time && time <= row.time_end;
};
