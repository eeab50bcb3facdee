/**
 * When a telephone may be rung (spec 4.2 `bkddd`): by the clock and the holidays of the number's region. Numbers
 * without a region (foreign, 0800 …) may be rung at any time.
 */
import { holidayOf } from './holidays.ts';
import { addDays, fromLocal, toLocal, weekday } from '../../lib/localTime.ts';
import { regionOfNumber } from './parsePhoneNumber.ts';
import type { AreaCodeRegion } from './areaCodeTimeZones.ts';

/** Opening hours by sort of day; each a list of `HH:MM-HH:MM`, the end excluded, `24:00` allowed. */
export interface CallingWindows {
  weekdays: readonly string[];
  saturdays: readonly string[];
  sundays: readonly string[];
  holidays: readonly string[];
}

export const DEFAULT_WINDOWS: CallingWindows = {
  weekdays: ['08:00-21:00'],
  saturdays: ['09:00-18:00'],
  sundays: [],
  holidays: [],
};

export type CallingWindowAnswer =
  | { open: true }
  /** `until`: the next opening, epoch milliseconds. */
  | { open: false; reason: 'window' | 'holiday'; detail: string; until: number };

/** May this (normalised) number be rung at this moment (epoch milliseconds)? */
export const callingWindowAt = (
  number: string,
  at: number,
  windows = DEFAULT_WINDOWS,
): CallingWindowAnswer => {
  const region = regionOfNumber(number);
  if (!region) return { open: true };
  const { date, time } = toLocal(at, region.zone);
  const today = callingHoursOnDate(date, region, windows);
  if (today.hours.some((range) => range.from <= time && time < range.to)) return { open: true };
  const until = nextOpening(at, date, region, windows);
  const opens = toLocal(until, region.zone);
  const place = `DDD ${region.ddd} (${region.state}, ${time.slice(0, 5)} there)`;
  const why = today.holiday ? `keeps ${today.holiday}` : 'is outside its calling window';
  const detail = `${place} ${why}; opens ${opens.date} ${opens.time.slice(0, 5)} ${region.zone}`;
  return { open: false, reason: today.holiday ? 'holiday' : 'window', detail, until };
};

/** The state where a number rings, and what the table says of this day there; undefined: the number has no region. */
export const callingHoursForNumber = (
  number: string,
  at: number,
  windows = DEFAULT_WINDOWS,
): (Day & { state: string; time: string }) | undefined => {
  const region = regionOfNumber(number);
  if (!region) return undefined;
  const { date, time } = toLocal(at, region.zone);
  return { ...callingHoursOnDate(date, region, windows), state: region.state, time };
};

/**
 * Reads an account's own table. Sorts of days it leaves out keep the default; `null` stands for no table at all.
 * Throws `RangeError` with a sentence for anything that is not a table, and for one that hardly ever opens.
 */
export const parseCallingWindows = (value: unknown): CallingWindows => {
  if (value === null || value === undefined) return DEFAULT_WINDOWS;
  if (typeof value !== 'object' || Array.isArray(value)) throw new RangeError(`calling windows ${WANTED}`);
  for (const key of Object.keys(value)) {
    if (!(key in DEFAULT_WINDOWS))
      throw new RangeError(`"${key}" is no sort of day: calling windows ${WANTED}`);
  }
  const given: Partial<Record<keyof CallingWindows, unknown>> = value;
  const table: CallingWindows = {
    weekdays: readHours('weekdays', given.weekdays),
    saturdays: readHours('saturdays', given.saturdays),
    sundays: readHours('sundays', given.sundays),
    holidays: readHours('holidays', given.holidays),
  };
  if (table.weekdays.length + table.saturdays.length + table.sundays.length === 0) {
    throw new RangeError('calling windows must open on some day of the week');
  }
  return table;
};

const WANTED =
  'must be {"weekdays": ["08:00-21:00"], "saturdays": [...], "sundays": [...], "holidays": [...]}';

const readHours = (key: keyof CallingWindows, value: unknown): readonly string[] => {
  if (value === undefined) return DEFAULT_WINDOWS[key];
  if (!Array.isArray(value)) throw new RangeError(`"${key}" of calling windows must be a list`);
  return value.map((text: unknown) => {
    if (typeof text === 'string' && isRange(text)) return text;
    throw new RangeError(`${JSON.stringify(text)} is not a range of hours like "08:00-21:00"`);
  });
};

const isRange = (text: string): boolean =>
  /^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/.test(text) && text.slice(0, 5) < text.slice(6);

/** One day of a state: its holiday, and the hours (`HH:MM`, the end excluded) at which one may ring. */
export interface Day {
  holiday: string | undefined;
  hours: { from: string; to: string }[];
}

/** What the table says of a date (`YYYY-MM-DD`) in a state. */
export const callingHoursOnDate = (
  date: string,
  region: Pick<AreaCodeRegion, 'state'>,
  windows: CallingWindows,
): Day => {
  const holiday = holidayOf(date, region.state);
  const sort = holiday ? 'holidays' : SORTS[weekday(date)]!;
  const hours = windows[sort].map((range) => ({ from: range.slice(0, 5), to: range.slice(6) }));
  return { holiday, hours };
};

const SORTS = [
  'sundays',
  'weekdays',
  'weekdays',
  'weekdays',
  'weekdays',
  'weekdays',
  'saturdays',
] as const satisfies (keyof CallingWindows)[];

/** Weekly tables open again after a fortnight's holidays at the latest. */
const FARTHEST_DAYS = 60;

const nextOpening = (at: number, today: string, region: AreaCodeRegion, windows: CallingWindows): number => {
  for (let ahead = 0; ahead <= FARTHEST_DAYS; ahead++) {
    const date = addDays(today, ahead);
    const openings = callingHoursOnDate(date, region, windows).hours.map((range) =>
      fromLocal(date, range.from, region.zone),
    );
    const next = Math.min(...openings.filter((opening) => opening > at));
    if (Number.isFinite(next)) return next;
  }
  throw new RangeError(`the calling windows do not open within ${FARTHEST_DAYS} days`);
};
