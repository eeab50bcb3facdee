/** Moments for people: on the account's clock, which is named once. */
import { toLocal } from './localTime.ts';

/** `2026-11-20 14:30:05`. */
export const formatLocalDateTime = (at: number, zone: string): string => {
  const { date, time } = toLocal(at, zone);
  return `${date} ${time}`;
};
