/** How long audio is kept (spec 8 "Audio expiry"). */
import { fromLocal, toLocal } from '../../lib/localTime.ts';

const PERMANENT_YEARS = 5;

/** When an asset that is made at this moment, and is to stay, expires: the same date and time in five years. */
export const computePermanentAudioExpiry = (now: number, zone: string): number => {
  const { date, time } = toLocal(now, zone);
  const year = String(Number(date.slice(0, 4)) + PERMANENT_YEARS);
  // The 29th of February has no namesake in five years.
  const day = date.slice(4) === '-02-29' ? '-02-28' : date.slice(4);
  return fromLocal(`${year}${day}`, time, zone);
};
