/**
 * When a campaign may ring the numbers of a region (decisions "window zone"): its own dates and times of day, read on
 * the region's clock, and, when the account wants it, only inside the regional and holiday table as well.
 */
import type { CampaignDatesAndHours } from '../../../machines/campaign/input.ts';
import type { RegionCallingStatus } from '../../../machines/contracts/campaign.ts';
import { timeZoneOfBrazilianState, type BrazilianState } from '../voice/areaCodeTimeZones.ts';
import { addDays, fromLocal, toLocal } from '../../lib/localTime.ts';
import { callingHoursOnDate, type CallingWindows } from '../voice/callingWindows.ts';

export interface CampaignWindowRules {
  hours: CampaignDatesAndHours;
  /** Where numbers without a region are: the account's zone (IANA). */
  homeZone: string;
  /** The regional and holiday table; absent: only the campaign's own hours count. */
  table?: CallingWindows;
}

/** Hours and table that have nothing in common never open; the search ends here. */
const FARTHEST_DAYS = 370;

/** A stretch of time in which one may ring, epoch milliseconds, the end excluded. */
interface Opening {
  from: number;
  to: number;
}

/** Whether numbers of this region (a state, or '' for numbers without one) may be rung now, until when, and why not. */
export const campaignWindowInRegion = (
  region: string,
  at: number,
  rules: CampaignWindowRules,
): RegionCallingStatus => {
  const zone = zoneOf(region, rules);
  const today = toLocal(at, zone).date;
  const first = rules.hours.dateStart > today ? rules.hours.dateStart : addDays(today, -1);
  const last = [rules.hours.dateEnd, addDays(first, FARTHEST_DAYS)].toSorted()[0]!;
  for (let date = first; date <= last; date = addDays(date, 1)) {
    for (const { from, to } of openingsOf(date, region, rules)) {
      if (at >= to) continue;
      if (at >= from) return { open: true, until: to, detail: '' };
      return { open: false, until: from, detail: whyClosed(region, at, from, rules) };
    }
  }
  return {
    open: false,
    until: campaignEndInRegion(region, rules),
    detail: whyClosed(region, at, undefined, rules),
  };
};

/** The moment after which the region does not open any more: the end of the last day. */
export const campaignEndInRegion = (region: string, { hours, homeZone }: CampaignWindowRules): number =>
  endOf(hours.dateEnd, hours.timeEnd, zoneOf(region, { homeZone }));

const zoneOf = (region: string, { homeZone }: Pick<CampaignWindowRules, 'homeZone'>): string =>
  region === '' ? homeZone : timeZoneOfBrazilianState(region as BrazilianState);

/** `time_end` is the last second that counts. */
const endOf = (date: string, time: string, zone: string): number => fromLocal(date, time, zone) + 1_000;

/** The openings of one day, in order. */
const openingsOf = (date: string, region: string, rules: CampaignWindowRules): Opening[] => {
  const zone = zoneOf(region, rules);
  const { timeStart, timeEnd } = rules.hours;
  const own = { from: fromLocal(date, timeStart, zone), to: endOf(date, timeEnd, zone) };
  if (!rules.table || region === '') return [own];
  return callingHoursOnDate(date, { state: region as BrazilianState }, rules.table)
    .hours.map(({ from, to }) => ({
      from: Math.max(own.from, fromLocal(date, from, zone)),
      to: Math.min(
        own.to,
        to === '24:00' ? fromLocal(addDays(date, 1), '00:00', zone) : fromLocal(date, to, zone),
      ),
    }))
    .filter(({ from, to }) => from < to)
    .toSorted((one, other) => one.from - other.from);
};

const whyClosed = (
  region: string,
  at: number,
  opens: number | undefined,
  rules: CampaignWindowRules,
): string => {
  const zone = zoneOf(region, rules);
  const { date, time } = toLocal(at, zone);
  const { holiday } =
    rules.table && region !== ''
      ? callingHoursOnDate(date, { state: region as BrazilianState }, rules.table)
      : {};
  const why = holiday ? `keeps ${holiday}` : 'is outside its hours';
  return `${placeOf(region)} (${time.slice(0, 5)} there) ${why}; ${opensAgain(opens, zone)}`;
};

const opensAgain = (opens: number | undefined, zone: string): string => {
  if (opens === undefined) return 'it does not open again';
  const { date, time } = toLocal(opens, zone);
  return `opens ${date} ${time.slice(0, 5)} ${zone}`;
};

const placeOf = (region: string): string => (region === '' ? 'the account’s zone' : region);
