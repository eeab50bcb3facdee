/** Moments as people read them: one time zone an output, and the output names it. */
import type { ServiceClient } from './http.ts';

/** IANA name of this machine's time zone (`TZ`). */
export const localTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone of an account's dates: for outputs that show its records, which are written on that clock. */
export const fetchAccountTimeZoneFromService = async (
  client: ServiceClient,
  account: number,
): Promise<string> => (await client.admin('GET /accounts/:account', { path: { account } })).time_zone;

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(zone, format);
  return format;
};

/** `2026-11-20 17:02:38`; the output names the zone elsewhere. `at`: epoch milliseconds. */
export const dateAndTime = (at: number, zone: string = localTimeZone()): string => formatOf(zone).format(at);

/** `17:02:38`, with the day before it when that is not today. `at`: epoch milliseconds. */
export const formatTimeWithDayUnlessToday = (
  at: number,
  now: number = Date.now(),
  zone: string = localTimeZone(),
): string => {
  const [then, today] = [dateAndTime(at, zone), dateAndTime(now, zone)];
  return then.slice(0, dayLength) === today.slice(0, dayLength) ? then.slice(dayLength + 1) : then;
};

const dayLength = 'YYYY-MM-DD'.length;

/** For a sentence: `2026-11-20 17:02:38 America/Sao_Paulo`. */
export const formatDateTimeAndZone = (at: number, zone: string = localTimeZone()): string =>
  `${dateAndTime(at, zone)} ${zone}`;

/** The title of a column of times: `since (America/Sao_Paulo)`. */
export const columnTitleWithZone = (title: string, zone: string = localTimeZone()): string =>
  `${title} (${zone})`;
