/** Times and lengths as a page writes them. Hours are those of the viewer's zone. */
import { dateFormat } from './dates.ts';
import { formatLocalizedNumber } from './words/index.ts';
import { viewerZone, epochToLocalDateTime } from './zone.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** 14:07:12 */
export const formatViewerClock = (at: number): string => {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
};

/** 14:07 */
export const formatHourAndMinute = (at: number): string => formatViewerClock(at).slice(0, 5);

const aDay = { weekday: 'long', day: 'numeric', month: 'long' } as const;
const aDayOfAYear = { ...aDay, year: 'numeric' } as const;

/** Thursday, November 26: the day on the clock of a time zone; absent: the viewer's. */
export const formatLongDayInZone = (at: number, zone = viewerZone()): string => {
  const [date = ''] = epochToLocalDateTime(at, zone).split('T');
  const isThisYear = date.slice(0, 4) === epochToLocalDateTime(Date.now(), zone).slice(0, 4);
  // The day is known: it is written as it stands, on no clock but its own.
  return dateFormat(isThisYear ? aDay : aDayOfAYear, 'UTC').format(Date.parse(`${date}T00:00:00Z`));
};

/** 14:07 on the clock of a time zone; absent: the viewer's. */
export const formatHourInZone = (at: number, zone = viewerZone()): string =>
  epochToLocalDateTime(at, zone).slice(11, 16);

/** 24/12/2026: a day of the service, `2026-12-24`, as the page writes days; what is no day stays as it is. */
export const formatDay = (day: string): string => {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? day : dateFormat({ dateStyle: 'short' }, 'UTC').format(at);
};

/** 14:07 on the clock of a time zone, with the day before it where that is not today there. */
export const formatMomentOfDay = (at: number, zone: string): string => {
  const [there, today] = [epochToLocalDateTime(at, zone), epochToLocalDateTime(Date.now(), zone)];
  const hour = there.slice(11, 16);
  return there.slice(0, 10) === today.slice(0, 10) ? hour : `${formatDay(there.slice(0, 10))} ${hour}`;
};

/** 14:07:12.345 on the clock of a time zone; absent: the viewer's. */
export const formatClockWithMillisecondsInZone = (at: number, zone = viewerZone()): string =>
  `${epochToLocalDateTime(at, zone).slice(11)}.${String(at % 1000).padStart(3, '0')}`;

const dayAndHour = { dateStyle: 'short', timeStyle: 'medium', hour12: false } as const;

/** The day and the hour, for what may be of another day. */
export const formatDateTime = (at: number): string => dateFormat(dayAndHour).format(at);

/** The day and the hour on the clock of a time zone; of the viewer's, where the browser does not know it. */
export const formatDateTimeInZone = (at: number, zone: string): string => {
  try {
    return dateFormat(dayAndHour, zone).format(at);
  } catch {
    return formatDateTime(at);
  }
};

/** 38 ms, 2.37 s, 5 min 48 s, 3 h 12 min, 4 d */
export const span = (ms: number): string => {
  const seconds = ms / 1000;
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (seconds < 60) return `${formatLocalizedNumber(seconds, seconds < 10 ? 2 : 1)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d`;
};
