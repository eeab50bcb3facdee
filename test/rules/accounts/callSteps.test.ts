import { describe, expect, test } from 'vitest';
import {
  FIRST_BILLED_SECONDS,
  affordableSeconds,
  roundUpToBillingIncrement,
} from '../../../src/rules/accounts/callSteps.ts';
import { priceForSeconds } from '../../../src/rules/accounts/pricing.ts';

describe('what is reserved pays for whole steps', () => {
  // Thousandths of a cent to more than a call is worth: where a second's price is rounded, too.
  test.each([1n, 3n, 7n, 599n, 1_234n, 6_000n, 99_999n, 1_000_000n])('at a rate of %s', (rate) => {
    for (let seconds = 1; seconds <= 3_600; seconds += 7) {
      const steps = roundUpToBillingIncrement(seconds);
      const paid = affordableSeconds(rate, priceForSeconds(rate, steps));
      // Of steps that cost the same, the later one is meant.
      expect(priceForSeconds(rate, paid)).toBe(priceForSeconds(rate, steps));
      expect(paid).toBeGreaterThanOrEqual(steps);
      expect((paid - FIRST_BILLED_SECONDS) % 6).toBe(0);
    }
  });
});
