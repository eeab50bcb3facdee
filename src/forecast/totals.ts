/** What a forecast counts. */
import { priceOfTalk } from '../../machines/contracts/price.ts';
import { billedSeconds, priceForSeconds } from '../rules/accounts/pricing.ts';
import { contextOfSimulatedCall, type OngoingForecastCall } from './simulatedCalls.ts';
import type { ForecastResult, ForecastTrunkTotals } from './scenarioAndResultTypes.ts';

const HOUR_MS = 3_600_000;

type Sums = Pick<
  ForecastResult,
  'calls' | 'attempts' | 'answered' | 'transferred' | 'seconds' | 'cost' | 'trunks' | 'perHour' | 'peak'
>;

export class ForecastTotals {
  readonly #ratePerMinute: bigint;
  readonly #hours = new Map<number, { dials: number; answered: number }>();
  readonly #trunks = new Map<string, ForecastTrunkTotals>();
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

  dialled(at: number, trunk: string): void {
    this.#hourOf(at).dials += 1;
    this.#trunkOf(trunk).attempts += 1;
    this.#attempts += 1;
    this.#up += 1;
    this.#peak = Math.max(this.#peak, this.#up);
  }

  answered(at: number): void {
    this.#hourOf(at).answered += 1;
    this.#answered += 1;
  }

  /** The callee's leg is over. */
  hungUp(at: number, call: OngoingForecastCall): void {
    this.#up -= 1;
    if (call.answeredAt === 0) return;
    const { route, price } = contextOfSimulatedCall(call).dial;
    const trunk = this.#trunkOf(route);
    trunk.answered += 1;
    if (price) trunk.purchase += BigInt(priceOfTalk(price, (at - call.answeredAt) / 1_000));
    else trunk.unpriced += 1;
  }

  /** A call is over. */
  ended(call: OngoingForecastCall): void {
    this.#calls += 1;
    const { second, dial } = contextOfSimulatedCall(call);
    if (second?.transferredAt) this.#transferred += 1;
    const seconds = call.answeredAt === 0 ? 0 : billedSeconds(call.answeredAt, call.endedAt);
    const sale = priceForSeconds(this.#ratePerMinute, seconds);
    this.#seconds += seconds;
    this.#cost += sale;
    if (dial.route === '') return;
    const trunk = this.#trunkOf(dial.route);
    trunk.calls += 1;
    trunk.seconds += seconds;
    trunk.sale += sale;
  }

  sums(): Sums {
    const perHour = [...this.#hours].map(([hour, counts]) => ({ hour: hour * HOUR_MS, ...counts }));
    return {
      calls: this.#calls,
      attempts: this.#attempts,
      answered: this.#answered,
      transferred: this.#transferred,
      seconds: this.#seconds,
      cost: this.#cost,
      trunks: [...this.#trunks.values()].toSorted((one, other) => other.attempts - one.attempts),
      perHour: perHour.toSorted((one, other) => one.hour - other.hour),
      peak: this.#peak,
    };
  }

  #trunkOf(trunk: string): ForecastTrunkTotals {
    const known = this.#trunks.get(trunk);
    if (known) return known;
    const counts = { calls: 0, attempts: 0, answered: 0, seconds: 0, unpriced: 0 };
    const made = { trunk, ...counts, sale: 0n, purchase: 0n };
    this.#trunks.set(trunk, made);
    return made;
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
