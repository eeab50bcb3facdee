/** What a call costs: exact, in ten-thousandths of the currency, never in floating point. */

/** An amount such as `0.1200` in ten-thousandths. */
export const amountToTenThousandths = (amount: string): bigint => {
  const match = /^(-?)(\d+)(?:\.(\d{1,4})\d*)?$/.exec(amount);
  if (!match) throw new RangeError(`${amount} is not an amount`);
  const units = BigInt(match[2]!) * 10_000n + BigInt((match[3] ?? '').padEnd(4, '0'));
  return match[1] ? -units : units;
};

/** An amount in ten-thousandths as the admin API writes it, with a point and four decimals: `0.0450`, `-1.2000`. */
export const formatTenThousandths = (units: bigint): string => {
  const size = units < 0n ? -units : units;
  return `${units < 0n ? '-' : ''}${size / 10_000n}.${String(size % 10_000n).padStart(4, '0')}`;
};

/** Seconds that are paid for, from answer to end (epoch milliseconds): rounded, but never none. */
export const billedSeconds = (answeredAt: number, endedAt: number): number =>
  endedAt > answeredAt ? Math.max(1, Math.round((endedAt - answeredAt) / 1000)) : 0;

/** The price of so many seconds at a rate a minute (ten-thousandths), rounded half up to ten-thousandths. */
export const priceForSeconds = (ratePerMinute: bigint, seconds: number): bigint =>
  (ratePerMinute * BigInt(seconds) * 2n + 60n) / 120n;

/** An amount with three decimals and a comma, `0,000` (spec 2.1), rounded half up. */
export const formatCommaAmount = (units: bigint): string => {
  const thousandths = (units + 5n) / 10n;
  return `${thousandths / 1000n},${String(thousandths % 1000n).padStart(3, '0')}`;
};

/** The same without rounding: a fourth decimal stands where there is one, `0,0655`. */
export const writeExactAmount = (units: bigint): string => {
  const decimals = String(units % 10_000n).padStart(4, '0');
  return `${units / 10_000n},${decimals.replace(/0$/, '')}`;
};
