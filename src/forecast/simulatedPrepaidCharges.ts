/** Calls of a forecast that are paid out of balances: each step is reserved before it begins, and the rest goes back. */
import {
  PREPAID_RESERVE_LEAD_SECONDS,
  FIRST_BILLED_SECONDS,
  PREPAID_HANGUP_MARGIN_SECONDS,
  isPrepaidTimeUsedUp,
  nextPrepaidIncrement,
} from '../rules/accounts/callSteps.ts';
import { billedSeconds, priceForSeconds, amountToTenThousandths } from '../rules/accounts/pricing.ts';
import type { OngoingForecastCall } from './simulatedCalls.ts';
import type { VirtualTimer, VirtualClock } from './clock.ts';
import type { BalanceForecast, ForecastSimulationInput } from './scenarioAndResultTypes.ts';

/** What is reserved for a call. */
interface Held {
  units: bigint;
  covered: number;
  /** Looks at its next step. */
  alarm?: VirtualTimer;
}

/** A step is looked at so long after its moment, and again after a second where no balance bears it; milliseconds. */
const LATE_MS = 1;
const AGAIN_MS = 1_000;

export class SimulatedCharges {
  readonly #clock: VirtualClock;
  readonly #rate: bigint;
  readonly #first: bigint;
  readonly #cancel: (call: OngoingForecastCall) => void;
  readonly #before: NonNullable<ForecastSimulationInput['charges']>['payers'];
  readonly #balances: Map<number, bigint>;
  readonly #held = new Map<number, Held>();
  #runsOutAt: number | null = null;
  #reserved = 0;
  #reservedBefore = 0;
  #unfunded = 0;
  #cutOff = 0;

  /** `cancel`: hangs up a call whose next step no balance bears. */
  constructor(
    { payers, callRate }: NonNullable<ForecastSimulationInput['charges']> & { callRate: string },
    clock: VirtualClock,
    cancel: (call: OngoingForecastCall) => void,
  ) {
    this.#clock = clock;
    this.#cancel = cancel;
    this.#rate = amountToTenThousandths(callRate);
    this.#first = priceForSeconds(this.#rate, FIRST_BILLED_SECONDS);
    this.#before = payers;
    this.#balances = new Map(payers.map(({ account, balance }) => [account, balance]));
  }

  /** Reserves the first step; false: a balance does not cover it. */
  open({ id }: OngoingForecastCall): boolean {
    if (this.#held.has(id)) return true;
    if (!this.#take(this.#first)) {
      this.#unfunded += 1;
      this.#runOut();
      return false;
    }
    this.#held.set(id, { units: this.#first, covered: FIRST_BILLED_SECONDS });
    this.#reserved += 1;
    return true;
  }

  answered(call: OngoingForecastCall): void {
    const held = this.#held.get(call.id);
    if (held)
      this.#look(call, held, {
        answeredAt: this.#clock.now(),
        atSeconds: held.covered - PREPAID_RESERVE_LEAD_SECONDS,
      });
  }

  /** The leg is over, or was never dialled: what was reserved beyond its price goes back. */
  over({ id, answeredAt }: Pick<OngoingForecastCall, 'id' | 'answeredAt'>): void {
    const held = this.#held.get(id);
    if (!held) return;
    this.#held.delete(id);
    if (held.alarm) this.#clock.callOff(held.alarm);
    const price =
      answeredAt === 0 ? 0n : priceForSeconds(this.#rate, billedSeconds(answeredAt, this.#clock.now()));
    if (!this.#take(price - held.units)) this.#runOut();
  }

  told(): BalanceForecast {
    return {
      payers: this.#before.map(({ account, balance }) => ({
        ...{ account, before: balance, after: this.#balances.get(account)! },
      })),
      runsOutAt: this.#runsOutAt,
      attemptsBefore: this.#runsOutAt === null ? this.#reserved : this.#reservedBefore,
      unfunded: this.#unfunded,
      cutOff: this.#cutOff,
    };
  }

  /** Looks at the next step when the call was talked for so many seconds. */
  #look(
    call: OngoingForecastCall,
    held: Held,
    { answeredAt, atSeconds }: { answeredAt: number; atSeconds: number },
  ): void {
    const ms = answeredAt + atSeconds * 1_000 + LATE_MS - this.#clock.now();
    held.alarm = this.#clock.set(ms, () => this.#goOn(call, held, answeredAt));
  }

  #goOn(call: OngoingForecastCall, held: Held, answeredAt: number): void {
    const seconds = (this.#clock.now() - answeredAt) / 1_000;
    const next = nextPrepaidIncrement({ rate: this.#rate, covered: held.covered }, seconds);
    if (next && !this.#take(next.price)) return this.#bearNoMore(call, held, answeredAt);
    if (next) {
      held.units += next.price;
      held.covered = next.covered;
    }
    this.#look(call, held, { answeredAt, atSeconds: held.covered - PREPAID_RESERVE_LEAD_SECONDS });
  }

  #bearNoMore(call: OngoingForecastCall, held: Held, answeredAt: number): void {
    const seconds = (this.#clock.now() - answeredAt) / 1_000;
    if (!isPrepaidTimeUsedUp(held, seconds)) {
      const atSeconds = Math.min(seconds + AGAIN_MS / 1_000, held.covered - PREPAID_HANGUP_MARGIN_SECONDS);
      return this.#look(call, held, { answeredAt, atSeconds });
    }
    this.#cutOff += 1;
    this.#runOut();
    this.#cancel(call);
  }

  /** From every payer, or from none; a negative amount goes back. */
  #take(units: bigint): boolean {
    if ([...this.#balances.values()].some((balance) => balance < units)) return false;
    for (const [payer, balance] of this.#balances) this.#balances.set(payer, balance - units);
    return true;
  }

  #runOut(): void {
    if (this.#runsOutAt !== null) return;
    this.#runsOutAt = this.#clock.now();
    this.#reservedBefore = this.#reserved;
  }
}
