/** The golden ratio, and the square of the plastic ratio: their multiples fill 0 to 1 evenly. */
const BY_CALL = 0.618_033_988_749_894_9;
const BY_ATTEMPT = 0.754_877_666_246_692_7;

/**
 * What is drawn for an attempt, 0 ≤ n < 1: calls one after the other draw every part of it equally often, so that a forecast
 * says what shares of trunks come to on average.
 */
export const evenlySpreadRandom = (call: number, attempt: number): number =>
  (call * BY_CALL + attempt * BY_ATTEMPT) % 1;
