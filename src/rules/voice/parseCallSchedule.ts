/** When a call may be dialled: `block` and `repeat` (spec 4.2 "Scheduling"). Pure: the present is handed in. */
import { fromLocal, toLocal } from '../../lib/localTime.ts';

/** How far ahead a call may be put off, days. */
export const maxScheduleDays = 60;
const DAY = 86_400_000;

export interface DialAttemptSchedule {
  /** Epoch milliseconds; absent: now. */
  notBefore?: number;
  tries: number;
  intervalMs: number;
  /** Epoch milliseconds. */
  until?: number;
}

/** A moment written `YYYY-MM-DD HH:MM[:SS]` on the zone's wall clock, or in ISO 8601 (which may carry its own offset). */
export const parseDateTime = (text: string, zone: string): number | undefined => {
  const match =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?$/i.exec(
      text.trim(),
    );
  if (!match) return undefined;
  const [, date, time, offset] = match;
  try {
    // The date and time must exist, also when an offset is given.
    const local = fromLocal(date!, time!, offset ? 'UTC' : zone);
    return offset ? local - offsetMs(offset) : local;
  } catch {
    return undefined;
  }
};

/** The date of a filter, `YYYY-MM-DD`; undefined when there is no such day. */
export const readDate = (text: string): string | undefined =>
  parseDateTime(`${text.trim()} 00:00`, 'UTC') === undefined ? undefined : text.trim();

/**
 * Reads `tries|interval_min|until|YYYY-MM-DD HH:MM`; later parts may be left out or empty.
 * `until` is a time of day; one that lies before the first attempt's means the next day.
 * Answers a sentence when it cannot be read.
 */
export const parseCallRepeat = (
  text: string,
  zone: string,
  now: number,
): DialAttemptSchedule | { refused: string } => {
  const [tries = '', interval = '', until = '', start = '', ...more] = text
    .split('|')
    .map((part) => part.trim());
  if (more.length > 0) return refused('four parts at most');
  if (!isWhole(tries, 1, 50)) return refused('tries from 1 to 50');
  if (interval !== '' && !isWhole(interval, 1, 1440)) return refused('an interval of 1 to 1440 minutes');
  const first = start === '' ? undefined : parseDateTime(start, zone);
  if (start !== '' && first === undefined) return refused('a first call written YYYY-MM-DD HH:MM');
  const last = until === '' ? undefined : timeOfDayAfter(until, first ?? now, zone);
  if (until !== '' && last === undefined) return refused('an until written HH:MM');
  return {
    tries: Number(tries),
    intervalMs: Number(interval === '' ? 30 : interval) * 60_000,
    ...(first !== undefined && { notBefore: first }),
    ...(last !== undefined && { until: last }),
  };
};

/**
 * A timetable whose last moment is over at a moment (epoch milliseconds) moves on, its first call with it, by as many
 * days as it takes; another one stays.
 */
export const rollScheduleForward = (schedule: DialAttemptSchedule, at: number): DialAttemptSchedule => {
  const { notBefore, until } = schedule;
  if (until === undefined || until >= at) return schedule;
  const laterMs = Math.ceil((at - until) / DAY) * DAY;
  return {
    ...schedule,
    ...(notBefore !== undefined && { notBefore: notBefore + laterMs }),
    until: until + laterMs,
  };
};

/** Whether a moment is further ahead than calls may be put off. */
export const isTooFar = (at: number, now: number): boolean => at > now + maxScheduleDays * DAY;

const refused = (wish: string): { refused: string } => ({
  refused: `repeat must be tries|interval_min|until|YYYY-MM-DD HH:MM, with ${wish}`,
});

const isWhole = (text: string, min: number, max: number): boolean =>
  /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max;

/** The first moment at or after `from` at which the zone's wall clock shows this time. */
const timeOfDayAfter = (time: string, from: number, zone: string): number | undefined => {
  if (!/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(time)) return undefined;
  const today = fromLocal(toLocal(from, zone).date, time, zone);
  if (today >= from) return today;
  return fromLocal(toLocal(from + DAY, zone).date, time, zone);
};

const offsetMs = (offset: string): number => {
  if (offset.toUpperCase() === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000;
};
