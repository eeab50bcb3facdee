/**
 * The campaign of the contract (spec 2.3). Odd on purpose: keys that end in a space, the text `null` for what a
 * campaign does not have, numbers as text where the contract has text.
 */
import { toLocal } from '../rules/localTime.ts';
import type { CampaignRow } from '../store/reads/campaigns.ts';

export interface CampaignRecord {
  cp_id: number;
  cp_name: string;
  cp_ctid: string;
  'cp_group ': string;
  'cp_active ': string;
  'cp_ontime ': string;
  cp_date_start: string;
  cp_date_end: string;
  cp_time_start: string;
  cp_time_end: string;
  cp_destinations: number;
  cp_lig_min: string;
  cp_pas: string;
  cp_made: number;
  cp_answered: number;
  cp_transfered: string;
  cp_model: number;
  /** loading, active, paused, completed, limitReached, expired, failed. */
  cp_state: string;
}

const none = 'null';

/** `now`: epoch milliseconds; `zone`: the account's. */
export const writeCampaignRecord = (row: CampaignRow, now: number, zone: string): CampaignRecord => ({
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
  cp_state: row.state,
});

/** Active, and now inside the days and the daily window, on the account's wall clock. */
const isOnTime = (row: CampaignRow, now: number, zone: string): boolean => {
  const { date, time } = toLocal(now, zone);
  const today = row.date_start <= date && date <= row.date_end;
  return row.active && today && row.time_start <= time && time <= row.time_end;
};
