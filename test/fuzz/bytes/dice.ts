/** Chance from a seed: the same seed, the same rolls (mulberry32). */
export interface Dice {
  /** 0 to `below` - 1. */
  roll(below: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  pick<T>(of: readonly T[]): T;
}

export const diceOf = (seed: number): Dice => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const roll = (below: number): number => next() % below;
  return { roll, once: (times) => roll(times) === 0, pick: (of) => of[roll(of.length)]! };
};
