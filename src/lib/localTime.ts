/**
 * A date and a time on the wall clock of a time zone, and the moment they mean.
 *
 * Only `Intl` knows the zones; formatters are kept by zone, and offsets by zone and hour, because a
 * record is printed with three of these calls and a page holds thousands of records.
 */
import type { LRUCache } from 'lru-cache';
import { lruOf } from './lru.ts';

export interface LocalDateAndTime {
  /** `YYYY-MM-DD`. */
  date: string;
  /** `HH:MM:SS`. */
  time: string;
}

const HOUR = 3_600_000;

/**
 * The wall clock of an IANA zone at a moment (epoch milliseconds).
 * Throws `RangeError` for a zone that does not exist.
 */
export const toLocal = (ms: number, zone: string): LocalDateAndTime => {
  const text = new Date(ms + offsetAt(ms, zone)).toISOString();
  return { date: text.slice(0, 10), time: text.slice(11, 19) };
};

/**
 * The moment (epoch milliseconds) at which the wall clock of a zone shows this date and time (`HH:MM` or `HH:MM:SS`).
 * A time that a spring-forward skips is read with the offset before it, so it falls just after the gap;
 * a time that occurs twice means the first. Throws `RangeError` for a date or time that does not exist.
 */
export const fromLocal = (date: string, time: string, zone: string): number => {
  const asUtc = readUtc(date, time);
  const before = offsetAt(asUtc - 24 * HOUR, zone);
  const after = offsetAt(asUtc + 24 * HOUR, zone);
  // The larger offset names the earlier moment: the first of two, when both are true.
  for (const offset of [Math.max(before, after), Math.min(before, after)]) {
    if (offsetAt(asUtc - offset, zone) === offset) return asUtc - offset;
  }
  return asUtc - before;
};

/** The last date that four digits can write; people write it for "for good". */
const LAST_DATE = '9999-12-31';

/** The date a number of days later (or earlier), 9999-12-31 at most; plain calendar arithmetic. */
export const addDays = (date: string, days: number): string => {
  const ms = readUtc(date, '00:00') + days * 24 * HOUR;
  return ms > Date.parse(LAST_DATE) ? LAST_DATE : new Date(ms).toISOString().slice(0, 10);
};

/** The moment (epoch milliseconds) at which a date is over in a zone. Throws like `fromLocal`. */
export const endOfDay = (date: string, zone: string): number =>
  date === LAST_DATE ? fromLocal(date, '23:59:59', zone) + 1000 : fromLocal(addDays(date, 1), '00:00', zone);

/** Day of the week of a date: 0 is Sunday. */
export const weekday = (date: string): number => new Date(readUtc(date, '00:00')).getUTCDay();

/** Whether `Intl` knows this zone. */
export const isTimeZone = (zone: string): boolean => {
  try {
    formatterOf(zone);
    return true;
  } catch {
    return false;
  }
};

const readUtc = (date: string, time: string): number => {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)(:\d\d)?$/.exec(`${date} ${time}`);
  const whole = match && `${match[1]}T${match[2]}${match[3] ?? ':00'}.000Z`;
  const ms = whole ? Date.parse(whole) : Number.NaN;
  // Date.parse lets 31 February and 24:00 through by rolling over; a date that reads back otherwise is none.
  if (!whole || Number.isNaN(ms) || new Date(ms).toISOString() !== whole) {
    throw new RangeError(`${date} ${time} is not a date and a time`);
  }
  return ms;
};

/** Milliseconds that a zone's wall clock is ahead of UTC. Offsets change on quarters of an hour at the finest. */
const offsetAt = (ms: number, zone: string): number => {
  const quarter = Math.floor(ms / (HOUR / 4));
  const kept = offsetsOf(zone);
  const known = kept.get(quarter);
  if (known !== undefined) return known;
  const offset = measureOffset(quarter * (HOUR / 4), zone);
  kept.set(quarter, offset);
  return offset;
};

const measureOffset = (ms: number, zone: string): number => {
  const at = Math.min(Math.max(ms, FIRST_MEASURED), LAST_MEASURED);
  return Date.parse(`${formatterOf(zone).format(at).replace(' ', 'T')}Z`) - at;
};

/** Formatters write years of four digits, as dates are read, between these; outside them nothing changes. */
const FIRST_MEASURED = Date.UTC(1000, 0, 2);
const LAST_MEASURED = Date.UTC(9999, 11, 30);

const formatters = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, LRUCache<number, number>>();

const formatterOf = (zone: string): Intl.DateTimeFormat => {
  const known = formatters.get(zone);
  if (known) return known;
  // Swedish writes dates as ISO does: 2026-11-20 09:34:56.
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  formatters.set(zone, made);
  return made;
};

/** Quarters of an hour whose offset is remembered, of each zone: six weeks. */
const QUARTERS = 4096;

const offsetsOf = (zone: string): LRUCache<number, number> => {
  const known = offsets.get(zone);
  if (known) return known;
  const made = lruOf<number, number>(QUARTERS);
  offsets.set(zone, made);
  return made;
};
