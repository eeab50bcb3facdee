/**
 * Ids below 2^53 that ascend with time: 40 bits of milliseconds since 2024, 6 bits of node slot, 7 bits of sequence.
 * Enough until 2058, for 64 nodes a shard and 128,000 ids a second each.
 */
const EPOCH = Date.UTC(2024, 0, 1);
const SLOTS = 64;
const SEQUENCE = 128;
const PER_MILLISECOND = SLOTS * SEQUENCE;

/** The smallest id that may be minted at this moment (epoch milliseconds). */
export const firstIdAt = (ms: number): number => Math.max(0, Math.floor(ms) - EPOCH) * PER_MILLISECOND;

/** When an id was minted, epoch milliseconds. */
export const timeOfId = (id: number): number => Math.floor(id / PER_MILLISECOND) + EPOCH;

/** Mints the ids of one node slot; when a millisecond's ids are used up it borrows from the next. */
export class Mint {
  readonly #slot: number;
  readonly #now: () => number;
  #millisecond: number;
  #sequence = 0;

  /** `after`: the last millisecond ids of this slot were minted for, by whoever had it before. */
  constructor(slot: number, now: () => number, after = 0) {
    this.#slot = slot;
    this.#now = now;
    this.#millisecond = after;
  }

  next(): number {
    const now = Math.floor(this.#now());
    if (now > this.#millisecond) {
      this.#millisecond = now;
      this.#sequence = 0;
    } else if (this.#sequence === SEQUENCE) {
      this.#millisecond += 1;
      this.#sequence = 0;
    }
    return firstIdAt(this.#millisecond) + this.#slot * SEQUENCE + this.#sequence++;
  }

  /** The last millisecond in use. */
  get millisecond(): number {
    return this.#millisecond;
  }
}
