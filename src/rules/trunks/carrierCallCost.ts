/** What a carrier asks for a call: exact, in ten-thousandths of the currency. */
import { type LegTariff, billableSeconds } from '../../../machines/contracts/price.ts';
import { priceForSeconds } from '../accounts/pricing.ts';
import { internationalDigits } from './internationalDigits.ts';
import type { Trunk, TrunkPrice } from './trunkTypes.ts';

/** The price of so many seconds to a number, rounded half up; undefined: the trunk has no price for it. */
export const carrierCallCost = (
  trunk: Pick<Trunk, 'prices'>,
  number: string,
  seconds: number,
): bigint | undefined => {
  const price = priceFor(trunk, number);
  return (
    price && priceForSeconds(price.perMinute, billableSeconds(seconds, price.firstSeconds, price.stepSeconds))
  );
};

/** The same as a call keeps it from its dial on: a price that is changed meanwhile is that of the next. */
export const legTariffOf = (trunk: Pick<Trunk, 'prices'>, number: string): LegTariff | undefined => {
  const price = priceFor(trunk, number);
  return price && [Number(price.perMinute), price.firstSeconds, price.stepSeconds];
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
