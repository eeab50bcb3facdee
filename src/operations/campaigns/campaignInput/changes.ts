/** What ChangeCampaign may change (spec 4.4), and whether it would change anything. */
import type { CampaignChanges } from '../../../../machines/campaign/input.ts';
import type { CampaignRow } from '../../../store/reads/campaigns/campaigns.ts';
import type { ChangeCampaignValues } from './changeCampaignParamsAndErrors.ts';

/** Only what was given. */
export const toCampaignChanges = (params: ChangeCampaignValues): CampaignChanges => {
  const { active, dateStart, dateEnd, timeStart, timeEnd, callsPerMinute, maxTransfers } = params;
  const hours = present({ dateStart, dateEnd, timeStart, timeEnd });
  const pace = present({
    callsPerMinute: callsPerMinute === 'max' ? null : callsPerMinute,
    maxTransfers,
  });
  // A name of blanks is none, as when it is created.
  const name = params.name?.trim() || undefined;
  return {
    ...present({ name, active }),
    ...(Object.keys(hours).length > 0 && { hours }),
    ...(Object.keys(pace).length > 0 && { pace }),
  };
};

/** The changes as columns of the record. */
export const campaignChangesToColumns = ({
  hours = {},
  pace = {},
  ...plain
}: CampaignChanges): Partial<CampaignRow> =>
  present({
    name: plain.name,
    detail: plain.description,
    group_id: plain.group,
    active: plain.active,
    model: plain.model,
    date_start: hours.dateStart,
    date_end: hours.dateEnd,
    time_start: hours.timeStart,
    time_end: hours.timeEnd,
    calls_per_minute: pace.callsPerMinute,
    max_transfers: pace.maxTransfers,
  });

/** Whether the campaign already is as it would be. */
export const isCampaignUnchanged = (row: CampaignRow, changes: CampaignChanges): boolean =>
  Object.entries(campaignChangesToColumns(changes)).every(
    ([column, value]) => row[column as keyof CampaignRow] === value,
  );

const present = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
