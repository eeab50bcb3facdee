/**
 * Unfinished machines by kind and state: counted in the database now and then, and moved between two counts by the steps
 * that this node commits. What other nodes commit is seen with the next count.
 */
import { processorShare } from './staleWhileRevalidate.ts';

export interface MachineStateCount {
  kind: string;
  state: string;
  count: number;
}

export interface StateCountsCacheOptions {
  /** Counts in the database of every shard. */
  count(): Promise<readonly MachineStateCount[]>;
  /** Between two counts at least, milliseconds. */
  everyMs: number;
  /** Milliseconds of any monotonic clock. */
  now(): number;
}

/** When no question came for so long, no page is open, and moves are no longer noted. Milliseconds. */
const watchedMs = 10_000;

export class MachineStateCounter {
  readonly #options: StateCountsCacheOptions;
  /** The last count, moved by every step since it began; undefined: there is none that holds. */
  #counts: Map<string, MachineStateCount> | undefined;
  /** Moves since the count under way began: it may lack them. */
  #since: Map<string, MachineStateCount> | undefined;
  #underWay: Promise<void> | undefined;
  #askedAt = -Infinity;
  #next = -Infinity;
  /** Of the last count, milliseconds. */
  #took = 0;

  constructor(options: StateCountsCacheOptions) {
    this.#options = options;
  }

  /** A machine has left a state (null: it is new) for another (null: it has ended). */
  moved(kind: string, from: string | null, to: string | null): void {
    if (from === to || this.#isForgotten()) return;
    for (const counts of [this.#counts, this.#since]) {
      if (counts === undefined) continue;
      if (from !== null) add(counts, kind, from, -1);
      if (to !== null) add(counts, kind, to, 1);
    }
  }

  /** As of now, by kind and state. Rejects where a database does not answer. */
  async read(): Promise<MachineStateCount[]> {
    const { now } = this.#options;
    // Moves were not noted since the last question.
    if (this.#isForgotten()) this.#counts = undefined;
    this.#askedAt = now();
    if (this.#counts === undefined || now() >= this.#next) this.#underWay ??= this.#recount();
    if (this.#counts === undefined) await this.#underWay;
    return [...(this.#counts ?? new Map<string, MachineStateCount>()).values()]
      .filter(({ count }) => count > 0)
      .toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)));
  }

  #isForgotten(): boolean {
    return this.#options.now() - this.#askedAt > watchedMs;
  }

  /** A count that fails is told to the one who waits for it; those who see an older one hear of the next. */
  #recount(): Promise<void> {
    const counting = this.#count();
    counting.catch(() => undefined);
    return counting;
  }

  async #count(): Promise<void> {
    const { count, everyMs, now } = this.#options;
    const began = now();
    const since = (this.#since = new Map<string, MachineStateCount>());
    const counts = new Map<string, MachineStateCount>();
    try {
      for (const row of await count()) add(counts, row.kind, row.state, row.count);
      for (const { kind, state, count: moved } of since.values()) add(counts, kind, state, moved);
      this.#counts = counts;
    } catch (error) {
      this.#counts = undefined;
      throw error;
    } finally {
      this.#since = undefined;
      this.#underWay = undefined;
      // A single count that had to wait for a busy machine would keep those of other nodes away for minutes.
      const took = now() - began;
      this.#next = now() + Math.max(everyMs, Math.min(took, this.#took) / processorShare);
      this.#took = took;
    }
  }
}

const keyOf = ({ kind, state }: Pick<MachineStateCount, 'kind' | 'state'>): string => `${kind} ${state}`;

const add = (counts: Map<string, MachineStateCount>, kind: string, state: string, count: number): void => {
  const key = keyOf({ kind, state });
  const known = counts.get(key);
  if (known) known.count += count;
  else counts.set(key, { kind, state, count });
};
