/** A number that is drawn for an attempt, 0 ≤ n < 1: evenly spread, and the same on every node and at every time. */
export const randomDrawForAttempt = (call: number, attempt: number): number => {
  const words = [Math.floor(call / 2 ** 32), call >>> 0, attempt];
  return words.reduce((hash, word) => mixed(hash ^ word), 0x9e3779b9) / 2 ** 32;
};

/** The finish of MurmurHash3: every bit depends on every other. */
const mixed = (word: number): number => {
  let hash = word;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};
