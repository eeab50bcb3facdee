/** Moments in the zone of an account: calls are made by its clock, not by the reader's. */
import { language, localeOf } from '../../settings.ts';
import type { Say } from '../../words/index.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = `${language.get()} ${zone} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(localeOf(language.get()), { timeZone: zone, ...options });
    formats.set(key, format);
  }
  return format;
};

/** 14:07 */
export const timeIn = (zone: string, at: number): string =>
  formatOf(zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);

/** 24 Nov */
export const dayIn = (zone: string, at: number): string =>
  formatOf(zone, { day: 'numeric', month: 'short' }).format(at);

const dayMs = 86_400_000;

/** `today at 14:07`, `tomorrow at 09:00`, `on 24 Nov at 09:00`. */
export const whenIn = (say: Say, zone: string, at: number, now = Date.now()): string => {
  const [day, time] = [dayIn(zone, at), timeIn(zone, at)];
  if (day === dayIn(zone, now)) return say('cpToday', { time });
  if (day === dayIn(zone, now + dayMs)) return say('cpTomorrow', { time });
  return say('cpOnDay', { day, time });
};

/** The viewer's own clock, for the title of a moment. */
export const ownTime = (at: number): string => new Date(at).toLocaleString(localeOf(language.get()));
