/** Whether a campaign may ring a number at this moment, by the hours that it keeps itself. */
import type { CampaignContext } from '../../../machines/campaign/context.ts';
import { campaignEndInRegion, campaignWindowInRegion } from '../../rules/campaigns/campaignWindowByRegion.ts';
import { parseCallingWindows } from '../../rules/voice/callingWindows.ts';
import { regionOfNumber } from '../../rules/voice/parsePhoneNumber.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';

export interface CampaignHoursNow {
  /** Absent: it may. `until` is absent where the campaign's hours do not open again. */
  objection?: { type: 'postponed'; reason: 'window'; detail: string; until?: number };
  /** Of each day, `HH:MM-HH:MM`. */
  hours: string;
  /** The account's regional windows and holidays count as well. */
  keepsTable: boolean;
}

/** `at`: epoch milliseconds, by the clock of the account's shard. */
export const campaignHoursNow = (
  number: string,
  at: number,
  { plan: { hours } }: CampaignContext,
  account: AccountRow,
): CampaignHoursNow => {
  const keepsTable = account.campaign_windows;
  const region = regionOfNumber(number)?.state ?? '';
  const rules = {
    ...{ hours, homeZone: account.time_zone },
    ...(keepsTable && { table: parseCallingWindows(account.calling_windows) }),
  };
  const { open, detail, until } = campaignWindowInRegion(region, at, rules);
  const opensAgain = until < campaignEndInRegion(region, rules);
  const own = { hours: `${hours.timeStart.slice(0, 5)}-${hours.timeEnd.slice(0, 5)}`, keepsTable };
  if (open) return own;
  return {
    ...own,
    objection: { type: 'postponed', reason: 'window', detail, ...(opensAgain && { until }) },
  };
};
