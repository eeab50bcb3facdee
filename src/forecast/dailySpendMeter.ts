/** What calls of one trunk, or one account, cost in a day of its zone, on the virtual clock: while they are talked. */
import { dayEndsAt } from '../rules/trunks/spent.ts';

const MINUTE_MS = 60_000;

export interface SpentEarlierToday {
  /** Epoch milliseconds. */
  at: number;
  /** In that day so far, ten-thousandths of the currency. */
  units: number;
}

export class ForecastDailySpendMeter {
  readonly #now: () => number;
  readonly #zone: string;
  #endsAt: number;
  #units: number;
  /** Of all legs that are talked: what a millisecond costs, and the sum of that times when each began. */
  #perMs = 0;
  #begun = 0;

  /** `now`: epoch milliseconds of the virtual clock. */
  constructor(now: () => number, zone: string, before: SpentEarlierToday) {
    this.#now = now;
    this.#zone = zone;
    this.#units = before.units;
    this.#endsAt = dayEndsAt(before.at, zone);
  }

  /** When the day is over, epoch milliseconds. */
  get endsAt(): number {
    this.#turn();
    return this.#endsAt;
  }

  /** Ten-thousandths of the currency, in whole ones: while a leg is talked it costs parts of one. */
  today(): number {
    this.#turn();
    return Math.round(this.#units + this.#talked());
  }

  /** A leg at this price of a minute is answered. */
  answered(perMinute: number): void {
    this.#turn();
    this.#add(perMinute / MINUTE_MS, this.#now());
  }

  /** It is over, and came to this. What it cost before midnight counts for the day before. */
  over(perMinute: number, answeredAt: number, cost: number): void {
    this.#turn();
    this.#add(-perMinute / MINUTE_MS, answeredAt);
    this.#units += cost;
  }

  #add(perMs: number, at: number): void {
    this.#perMs += perMs;
    this.#begun += perMs * at;
  }

  #talked(): number {
    return this.#perMs * this.#now() - this.#begun;
  }

  #turn(): void {
    if (this.#now() < this.#endsAt) return;
    this.#units = -(this.#perMs * this.#endsAt - this.#begun);
    this.#endsAt = dayEndsAt(this.#now(), this.#zone);
  }
}
