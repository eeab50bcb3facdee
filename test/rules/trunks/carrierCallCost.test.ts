import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { carrierCallCost } from '../../../src/rules/trunks/carrierCallCost.ts';
import { priceOf, trunkOf } from './trunkTable.ts';

it.each([
  [0, 0n],
  [1, 600n],
  [30, 600n],
  [30.2, 720n],
  [31, 720n],
  [36, 720n],
  [37, 840n],
  [60, 1200n],
])('%d seconds at 0.12 a minute and 30+6 cost %d', (seconds, units) => {
  const trunk = trunkOf(1, 'alfa', { prices: [priceOf('', 1200n, [30, 6])] });
  expect(carrierCallCost(trunk, '5511987654321', seconds)).toBe(units);
});

it('takes the price of the longest prefix, and says where there is none', () => {
  const prices = [priceOf('55', 600n), priceOf('5511', 60n), priceOf('551198', 6n), priceOf('5508', 0n)];
  const trunk = trunkOf(1, 'alfa', { prices });
  const asked = ['5511987654321', '551133334444', '5521987654321', '08001234567', '14155552671'];
  expect(asked.map((number) => carrierCallCost(trunk, number, 60))).toEqual([6n, 60n, 600n, 0n, undefined]);
});

it('equals the price counted second by second, in all roundings', () => {
  const whole = (max: number) => fc.integer({ min: 1, max });
  const asked = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 14n }), whole(120), whole(120), whole(7_200));
  fc.assert(
    fc.property(asked, ([perMinute, first, step, seconds]) => {
      let paid = first;
      while (paid < seconds) paid += step;
      const sixtieths = perMinute * BigInt(paid);
      const half = sixtieths % 60n >= 30n ? 1n : 0n;
      const trunk = trunkOf(1, 'alfa', { prices: [priceOf('', perMinute, [first, step])] });
      expect(carrierCallCost(trunk, '5511987654321', seconds)).toBe(sixtieths / 60n + half);
    }),
    { numRuns: 2_000 },
  );
});
