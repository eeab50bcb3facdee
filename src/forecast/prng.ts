/** Chance that can be repeated: the same seed gives the same forecast. */

/** Numbers from 0 (included) to 1 (excluded). */
export type Prng = () => number;

/** A small generator (mulberry32) that is good enough to shuffle with. */
export const seededRandom = (seed: number): Prng => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Somewhere from half of a mean to one and a half of it. */
export const randomAroundMean = (prng: Prng, mean: number): number => mean * (0.5 + prng());

const STRATUM_SIZE = 20;

/**
 * Deals kinds in given shares out of shuffled packs of twenty, so that a forecast says what is to be expected and not
 * what a single draw would give. What a pack rounds off is made up for by the next.
 */
export class StratifiedSampler {
  readonly #shares: readonly number[];
  readonly #prng: Prng;
  #draws: number[] = [];
  #packs = 0;
  #dealt: number[];

  /** `shares` come to 1. */
  constructor(shares: readonly number[], prng: Prng) {
    this.#shares = shares;
    this.#prng = prng;
    this.#dealt = shares.map(() => 0);
  }

  /** The place in `shares` of the next kind. */
  draw(): number {
    if (this.#draws.length === 0) this.#shuffle();
    return this.#draws.pop()!;
  }

  #shuffle(): void {
    this.#packs += 1;
    const draws: number[] = [];
    let wanted = 0;
    for (const [kind, share] of this.#shares.entries()) {
      // Ends of the kinds on one scale are rounded, so that a pack is always whole.
      wanted += share * this.#packs * STRATUM_SIZE;
      const before = sum(this.#dealt.slice(0, kind));
      const count = Math.max(0, Math.round(wanted) - before - this.#dealt[kind]!);
      for (let card = 0; card < count; card++) draws.push(kind);
      this.#dealt[kind] = this.#dealt[kind]! + count;
    }
    for (let last = draws.length - 1; last > 0; last--) {
      const other = Math.floor(this.#prng() * (last + 1));
      [draws[last], draws[other]] = [draws[other]!, draws[last]!];
    }
    this.#draws = draws;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Yes in a share of the cases. */
export const booleanSampler = (share: number, prng: Prng): (() => boolean) => {
  const sampler = new StratifiedSampler([share, 1 - share], prng);
  return () => sampler.draw() === 0;
};
