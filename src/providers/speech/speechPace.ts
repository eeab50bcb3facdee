/** How fast is spoken (spec 4.8 `rate`). */

/** How many times as fast as usual: 1 for 0, from 0.56 for -6 to 1.77 for 6, each step by the same tenth. */
export const speechSpeedFactorOfRate = (rate: number): number => 1.1 ** rate;
