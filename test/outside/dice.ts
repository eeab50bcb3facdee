/** Chance from a seed: the same seed and name give the same numbers, whatever the others drew meanwhile. */
export interface Dice {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  /** True so often out of one. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** The list in another order; the given one stays as it is. */
  shuffle<T>(list: readonly T[]): T[];
}

/** `name`: who draws, so that actors that run at the same time do not disturb each other. */
export const diceOf = (seed: number, name: string): Dice => {
  let state = hash(`${seed} ${name}`);
  /** Mulberry32. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    chance: (share) => next() < share,
    pick: (list) => list[between(0, list.length - 1)]!,
    shuffle: (list) => {
      const cards = [...list];
      for (let at = cards.length - 1; at > 0; at -= 1) {
        const other = between(0, at);
        [cards[at], cards[other]] = [cards[other]!, cards[at]!];
      }
      return cards;
    },
  };
};

/** FNV-1a, 32 bits. */
const hash = (text: string): number => {
  let sum = 0x811c9dc5;
  for (const letter of text) sum = Math.imul(sum ^ letter.codePointAt(0)!, 0x01000193);
  return sum >>> 0;
};
