/**
 * What a campaign is born with, checked by the operation (spec 4.3). Plain JSON. What changes later (its name,
 * activity, dates, pace) is changed by `changed`; the rest stays as it was created.
 */
import type { CallInput } from '../call/input.ts';
import type { CallbackWish } from '../contracts/callback.ts';

export interface CampaignInput {
  name: string;
  /** `detail`. */
  description: string;
  /** `cp_ctid`; empty: none. */
  correlation: string;
  /** `group`; null: none. */
  group: number | null;
  /** `cdlc_id`: the list it dials. */
  list: number;
  active: boolean;
  hours: CampaignDatesAndHours;
  pace: CampaignPace;
  /** `max_answered`: stop after so many answered calls; null: no limit. */
  maxAnswered: number | null;
  selection: ListRecordSelection;
  /** What every call of it has in common. Texts may carry placeholders (`<NOME>` …), filled in for each record. */
  call: CallTemplate;
  /** `relftp`: profile to which the results are delivered at the end; null: none. */
  resultsProfile: number | null;
  /** Audio asset ids it plays, as the interface writes them; for the search. */
  audio: string[];
  /** What was asked for, by our names of the parameters: a clone begins with it. Absent: it cannot be cloned. */
  parameters?: Record<string, string | number | boolean>;
}

/** When it may dial: dates and times of day are read in each destination's own zone. */
export interface CampaignDatesAndHours {
  /** YYYY-MM-DD. */
  dateStart: string;
  dateEnd: string;
  /** HH:MM:SS; the window includes `timeEnd`. */
  timeStart: string;
  timeEnd: string;
}

export interface CampaignPace {
  /** `vel`, `lig_min`; null: max, 0: no new dials. */
  callsPerMinute: number | null;
  /** `pas`: transfers at a time; null: no limit. */
  maxTransfers: number | null;
}

/** Which records of the list are dialled. */
export interface ListRecordSelection {
  /** `mobile`: 0 leaves mobile numbers out. */
  mobile: boolean;
  /** `no_block=1`: block lists are not asked. */
  skipBlocklist: boolean;
  /** `limit_name`: 0 no limit, n: at most n records of the same name; empty names are not limited. */
  recordsPerName: number;
  /** `xnum=1`: all numbers of a record are tried in order. */
  severalNumbers: boolean;
  /** `fdtmf`: only records whose column has this value. */
  filter?: { column: ListRecordColumn; value: string };
}

/** Columns of a record that a filter or a validation may name (spec 4.3 `fdtmf`, `compw`). */
export type ListRecordColumn = 'name' | 'cod_cli' | 'extra1' | 'extra2' | 'extra3' | 'extra4';

/** A call without what comes from the record and the moment. */
export type CallTemplate = Omit<
  CallInput,
  'destination' | 'alternatives' | 'campaign' | 'placeholders' | 'requestedAt' | 'validation' | 'callback'
> & {
  /** Who hears of the events of each call (`rurl`); its delivery's id comes with the call's. */
  callback?: Omit<CallbackWish, 'delivery'>;
  /** cp_type 6: `validation` of each call, but for the value, which stands in the column of its record. */
  compare?: { column: ListRecordColumn; confirm: string; digits: number };
};

/** What ChangeCampaign (spec 4.4) and the admin API may change, all at once; absent: stays. */
export interface CampaignChanges {
  name?: string;
  description?: string;
  group?: number | null;
  active?: boolean;
  /** A model is never dialled, only cloned. */
  model?: boolean;
  priority?: number;
  hours?: Partial<CampaignDatesAndHours>;
  pace?: Partial<CampaignPace>;
}
