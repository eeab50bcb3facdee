/** Moments in the zone of an account: calls are made by its clock, not by the reader's. */
import { dateFormat } from '../../dates.ts';
import type { Say } from '../../words/index.ts';

/** 14:07 */
export const formatTimeInZone = (zone: string, at: number): string =>
  dateFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, zone).format(at);

/** 24 Nov */
export const formatShortDayInZone = (zone: string, at: number): string =>
  dateFormat({ day: 'numeric', month: 'short' }, zone).format(at);

const dayMs = 86_400_000;

/** `today at 14:07`, `tomorrow at 09:00`, `on 24 Nov at 09:00`. */
export const formatRelativeDayAndTime = (say: Say, zone: string, at: number, now = Date.now()): string => {
  const [day, time] = [formatShortDayInZone(zone, at), formatTimeInZone(zone, at)];
  if (day === formatShortDayInZone(zone, now)) return say('cpToday', { time });
  if (day === formatShortDayInZone(zone, now + dayMs)) return say('cpTomorrow', { time });
  return say('cpOnDay', { day, time });
};

const aDay = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
const toTheSecond = { ...aDay, hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;

/** The viewer's own clock, for the title of a moment. */
export const formatViewerDateTime = (at: number): string => dateFormat(toTheSecond).format(at);
