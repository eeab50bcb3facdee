/** What trunks and the account of a forecast spend in a day, where they have a limit of it. */
import { type LegTariff, priceOfTalk } from '../../machines/contracts/price.ts';
import { TRUNK_ZONE } from '../rules/trunks/spent.ts';
import { billedSeconds, priceForSeconds, amountToTenThousandths } from '../rules/accounts/pricing.ts';
import { ForecastDailySpendMeter } from './dailySpendMeter.ts';
import type { ForecastSimulationInput } from './scenarioAndResultTypes.ts';

/** A leg of a callee that was answered. */
export interface ForecastAnsweredLegPrice {
  trunk: string;
  /** Absent: the trunk has no price for the number. */
  price?: LegTariff | undefined;
}

export interface SimulatedDailySpendTracker {
  /** Ten-thousandths of the currency; 0 where it has no limit. */
  ofTrunk(id: number): number;
  ofAccount(): number;
  /** When the day of the trunks is over, epoch milliseconds; of the account. */
  trunksDayEndsAt(): number;
  accountsDayEndsAt(): number;
  answered(leg: ForecastAnsweredLegPrice): void;
  /** It is over now. */
  over(leg: ForecastAnsweredLegPrice, answeredAt: number): void;
}

/** `now`: epoch milliseconds of the virtual clock. */
export const openSimulatedDailySpending = (
  { account, trunks: { trunks }, spent }: ForecastSimulationInput,
  now: () => number,
): SimulatedDailySpendTracker => {
  const meterOf = (zone: string, units = 0): ForecastDailySpendMeter =>
    new ForecastDailySpendMeter(now, zone, { at: spent.at, units });
  const limited = trunks.filter(({ spendPerDay }) => typeof spendPerDay === 'number');
  const meters = new Map(limited.map(({ id }) => [id, meterOf(TRUNK_ZONE, spent.trunks[id])]));
  const byName = new Map(limited.map(({ id, name }) => [name, meters.get(id)!]));
  const trunksDay = meterOf(TRUNK_ZONE);
  const accountsDay = meterOf(account.zone, spent.account);
  const own = typeof account.spendPerDay === 'number' ? accountsDay : undefined;
  const rate = amountToTenThousandths(account.callRate);
  return {
    ofTrunk: (id) => meters.get(id)?.today() ?? 0,
    ofAccount: () => own?.today() ?? 0,
    trunksDayEndsAt: () => trunksDay.endsAt,
    accountsDayEndsAt: () => accountsDay.endsAt,
    answered: ({ trunk, price }) => {
      if (price) byName.get(trunk)?.answered(price[0]);
      own?.answered(Number(rate));
    },
    over: ({ trunk, price }, answeredAt) => {
      const seconds = (now() - answeredAt) / 1_000;
      if (price) byName.get(trunk)?.over(price[0], answeredAt, priceOfTalk(price, seconds));
      own?.over(Number(rate), answeredAt, Number(priceForSeconds(rate, billedSeconds(answeredAt, now()))));
    },
  };
};
