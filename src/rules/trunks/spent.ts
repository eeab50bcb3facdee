/** Days of trunks and accounts, and what their calls cost in them. */
import { endOfDay, toLocal } from '../../lib/localTime.ts';

/** Days of trunks begin at midnight there. */
export const TRUNK_ZONE = 'America/Sao_Paulo';

/** When the day of a moment is over in a zone; both epoch milliseconds. */
export const dayEndsAt = (at: number, zone: string): number => endOfDay(toLocal(at, zone).date, zone);

/** What the calls of a day cost so far, of a trunk or an account. */
export interface DailyCallCost {
  owner: 'trunk' | 'account';
  id: number;
  /** `2026-11-27`, by the owner's zone. */
  day: string;
  /** Ten-thousandths of the currency. */
  units: number;
}
