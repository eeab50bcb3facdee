/** What a carrier asks for a call: exact, in ten-thousandths of the currency. */
import { priceOf } from '../accounts/pricing.ts';
import { internationalDigits } from './internationalDigits.ts';
import type { Trunk, TrunkPrice } from './trunk.ts';

/** The price of so many seconds to a number, rounded half up; undefined: the trunk has no price for it. */
export const purchaseOf = (
  trunk: Pick<Trunk, 'prices'>,
  number: string,
  seconds: number,
): bigint | undefined => {
  const price = priceFor(trunk, number);
  return price && priceOf(price.perMinute, paidSeconds(price, seconds));
};

/** That of the longest prefix. */
const priceFor = ({ prices }: Pick<Trunk, 'prices'>, number: string): TrunkPrice | undefined => {
  const digits = internationalDigits(number);
  return prices
    .filter(({ prefix }) => digits.startsWith(prefix))
    .reduce<TrunkPrice | undefined>(
      (best, price) => (best && best.prefix.length >= price.prefix.length ? best : price),
      undefined,
    );
};

/** `30+6`: 30 seconds at least, then whole steps of 6. None for a call that was not answered. */
const paidSeconds = ({ firstSeconds, stepSeconds }: TrunkPrice, seconds: number): number => {
  if (seconds <= 0) return 0;
  const longer = Math.max(0, Math.ceil(seconds) - firstSeconds);
  return firstSeconds + Math.ceil(longer / stepSeconds) * stepSeconds;
};
