/** The night in which an account's SMS are counted (spec 8 "SMS night cap"): 22:00 to 06:00 on its own wall clock. */
import { addDays, fromLocal, toLocal } from '../../lib/localTime.ts';

export interface SmsNightCapWindow {
  /** The evening's date, `YYYY-MM-DD`. */
  date: string;
  /** Epoch milliseconds; the end is outside. */
  startsAt: number;
  endsAt: number;
}

const evening = '22:00';
const morning = '06:00';

/** The night that a moment (epoch milliseconds) falls into in a time zone; undefined by day. */
export const smsNightWindowAt = (at: number, zone: string): SmsNightCapWindow | undefined => {
  const { date: today, time } = toLocal(at, zone);
  if (time >= morning && time < evening) return undefined;
  const date = time < morning ? addDays(today, -1) : today;
  return {
    date,
    startsAt: fromLocal(date, evening, zone),
    endsAt: fromLocal(addDays(date, 1), morning, zone),
  };
};
