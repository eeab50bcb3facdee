/** What a carrier asks for a leg. Exact: in ten-thousandths of the currency, never in floating point. */

/** Price of a minute in ten-thousandths, seconds that are paid for at least, and the whole steps after those. */
export type LegTariff = readonly [perMinute: number, firstSeconds: number, stepSeconds: number];

/**
 * `30+6`: 30 seconds at least, then whole steps of 6; what is begun counts as whole. None for a leg that was not answered.
 */
export const billableSeconds = (seconds: number, firstSeconds: number, stepSeconds: number): number => {
  if (seconds <= 0) return 0;
  const longer = Math.max(0, Math.ceil(seconds) - firstSeconds);
  return firstSeconds + Math.ceil(longer / stepSeconds) * stepSeconds;
};

/** The price of so many seconds of talk, rounded half up to ten-thousandths. */
export const priceOfTalk = ([perMinute, firstSeconds, stepSeconds]: LegTariff, seconds: number): number => {
  const paid = billableSeconds(seconds, firstSeconds, stepSeconds);
  return Number((BigInt(perMinute) * BigInt(paid) * 2n + 60n) / 120n);
};
