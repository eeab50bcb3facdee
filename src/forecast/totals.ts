/** What a forecast counts. */
import { billedSeconds, priceOf } from '../rules/accounts/pricing.ts';
import { contextOf, type LiveCall } from './calls.ts';
import type { Forecast } from './scenario.ts';

const HOUR_MS = 3_600_000;

export class Totals {
  readonly #ratePerMinute: bigint;
  readonly #hours = new Map<number, { dials: number; answered: number }>();
  #calls = 0;
  #attempts = 0;
  #answered = 0;
  #transferred = 0;
  #seconds = 0;
  #cost = 0n;
  #up = 0;
  #peak = 0;

  /** In ten-thousandths of the currency. */
  constructor(ratePerMinute: bigint) {
    this.#ratePerMinute = ratePerMinute;
  }

  dialled(at: number): void {
    this.#hourOf(at).dials += 1;
    this.#attempts += 1;
    this.#up += 1;
    this.#peak = Math.max(this.#peak, this.#up);
  }

  answered(at: number): void {
    this.#hourOf(at).answered += 1;
    this.#answered += 1;
  }

  hungUp(): void {
    this.#up -= 1;
  }

  /** A call is over. */
  ended(call: LiveCall): void {
    this.#calls += 1;
    if (contextOf(call).second?.transferredAt) this.#transferred += 1;
    const seconds = call.answeredAt === 0 ? 0 : billedSeconds(call.answeredAt, call.endedAt);
    this.#seconds += seconds;
    this.#cost += priceOf(this.#ratePerMinute, seconds);
  }

  sums(): Pick<
    Forecast,
    'calls' | 'attempts' | 'answered' | 'transferred' | 'seconds' | 'cost' | 'perHour' | 'peak'
  > {
    const perHour = [...this.#hours].map(([hour, counts]) => ({ hour: hour * HOUR_MS, ...counts }));
    return {
      calls: this.#calls,
      attempts: this.#attempts,
      answered: this.#answered,
      transferred: this.#transferred,
      seconds: this.#seconds,
      cost: this.#cost,
      perHour: perHour.toSorted((one, other) => one.hour - other.hour),
      peak: this.#peak,
    };
  }

  #hourOf(at: number): { dials: number; answered: number } {
    const hour = Math.floor(at / HOUR_MS);
    const known = this.#hours.get(hour);
    if (known) return known;
    const made = { dials: 0, answered: 0 };
    this.#hours.set(hour, made);
    return made;
  }
}
