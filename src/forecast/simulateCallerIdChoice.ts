/** Caller ids of a pool as a forecast shows them: the same choice as in a call, out of what it showed itself in the last hour. */
import { RecentTimes } from '../providers/dialClearance/recentTimes.ts';
import { type CallerIdHour, type CallerIdPool, chooseCallerId } from '../rules/trunks/chooseCallerId.ts';
import { mayTrunkShowCallerId } from '../rules/trunks/whyTrunkExcluded.ts';
import type { Trunk } from '../rules/trunks/trunkTypes.ts';

/** A caller id may be shown again after so long: an hour by the minutes of the clock. */
const SHOWN_MS = 61 * 60_000;

export interface CallerIdRequest {
  pool: CallerIdPool;
  trunk: Trunk;
  number: string;
  /** Epoch milliseconds. */
  at: number;
}

export class SimulatedCallerIds {
  readonly #shown = new Map<string, RecentTimes>();

  /** Shows one; else when one may be shown again, epoch milliseconds. Pools without a limit of the hour are not looked at. */
  take({ pool, trunk, number, at }: CallerIdRequest): number | undefined {
    const ids =
      pool.callsPerHour === null ? [] : pool.callerIds.filter((id) => mayTrunkShowCallerId(trunk, id));
    if (ids.length === 0) return undefined;
    const chosen = chooseCallerId(pool, number, ids, new Map(ids.map((id) => [id, this.#hourOf(id, at)])));
    if ('until' in chosen) return chosen.until;
    this.#timesOf(chosen.callerId).add(at);
    return undefined;
  }

  /** How many of its calls are answered is not looked at: none is rested. */
  #hourOf(id: string, at: number): CallerIdHour {
    const times = this.#timesOf(id);
    return { calls: times.count(at), freeAt: at + times.untilFewer(at), ended: 0, answered: 0 };
  }

  #timesOf(id: string): RecentTimes {
    const known = this.#shown.get(id);
    if (known) return known;
    const times = new RecentTimes(SHOWN_MS);
    this.#shown.set(id, times);
    return times;
  }
}
