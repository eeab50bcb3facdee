/** Destinations of a forecast that are not dialled, or not at once, by the reasons that calls are told. */
import type { OngoingForecastCall } from './simulatedCalls.ts';
import type { ForecastResult } from './scenarioAndResultTypes.ts';

type Group = ForecastResult['leftOut'][number];

export class LeftOutTotals {
  readonly #groups = new Map<string, Group>();

  /** A call is told this; told again, also after something else, it counts once. */
  told(call: OngoingForecastCall, { type, reason, trunks }: Omit<Group, 'destinations'>): void {
    const key = `${type} ${reason} ${trunks.join(' ')}`;
    if (call.heldBy.includes(key)) return;
    call.heldBy = call.heldBy.concat(key);
    const known = this.#groups.get(key);
    if (known) known.destinations += 1;
    else this.#groups.set(key, { type, reason, trunks, destinations: 1 });
  }

  /** Those of the most destinations first. */
  sums(): ForecastResult['leftOut'] {
    return [...this.#groups.values()].toSorted((one, other) => other.destinations - one.destinations);
  }
}
