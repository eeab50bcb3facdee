/** What the calls of a day cost so far, of a trunk or an account. */
export interface Spent {
  owner: 'trunk' | 'account';
  id: number;
  /** `2026-11-27`, by the owner's zone. */
  day: string;
  /** Ten-thousandths of the currency. */
  units: number;
}
