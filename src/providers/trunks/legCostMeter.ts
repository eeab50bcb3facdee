/** Counts what callees' legs cost while they are talked on: to their trunk, and to the account that talks. In memory, of this process. */
import { type LegTariff, priceOfTalk } from '../../../machines/contracts/price.ts';
import type { Fact } from '../../engine/contract/performer.ts';
import { lruOf } from '../../lib/lru.ts';
import { priceForSeconds } from '../../rules/accounts/pricing.ts';
import { legTariffOf } from '../../rules/trunks/carrierCallCost.ts';
import { TRUNK_ZONE } from '../../rules/trunks/spent.ts';
import type { Trunk } from '../../rules/trunks/trunkTypes.ts';
import type { CallMachineRef } from '../contracts/dialClearance.ts';

export interface LegCostMeterOptions {
  trunk(name: string): Trunk | undefined;
  /** What an account pays for a minute, in ten-thousandths of the currency; undefined: what it spends is not counted. */
  payer(account: number): Promise<{ rate: bigint; zone: string } | undefined>;
  add(owner: 'trunk' | 'account', id: number, zone: string, units: number): void;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

interface Leg {
  trunk: number;
  price?: LegTariff;
  account: number;
  payer?: { rate: bigint; zone: string };
  answeredAt?: number;
  endedAt?: number;
  /** What was counted so far. */
  counted: { trunk: number; account: number };
}

/** More legs are not counted at a time; the oldest are forgotten. */
const MOST_LEGS = 250_000;

export interface LegCostMeter {
  /** A callee's leg is about to be dialled. */
  dialled(caller: CallMachineRef, leg: number, trunk: string, number: string): void;
  hear(caller: CallMachineRef, fact: Fact): void;
  /** Counts what has been talked by now. */
  count(): void;
}

export const openLegCostMeter = ({ trunk, payer, add, now }: LegCostMeterOptions): LegCostMeter => {
  const legs = lruOf<string, Leg>(MOST_LEGS);
  const talking = new Map<string, Leg>();

  const countLeg = (leg: Leg): void => {
    const seconds = ((leg.endedAt ?? now()) - leg.answeredAt!) / 1_000;
    if (leg.price) {
      const cost = priceOfTalk(leg.price, seconds);
      add('trunk', leg.trunk, TRUNK_ZONE, cost - leg.counted.trunk);
      leg.counted.trunk = Math.max(cost, leg.counted.trunk);
    }
    if (!leg.payer) return;
    const cost = Number(priceForSeconds(leg.payer.rate, Math.max(1, Math.round(seconds))));
    add('account', leg.account, leg.payer.zone, cost - leg.counted.account);
    leg.counted.account = Math.max(cost, leg.counted.account);
  };

  const answered = (key: string, leg: Leg): void => {
    if (leg.answeredAt !== undefined) return;
    leg.answeredAt = now();
    talking.set(key, leg);
    payer(leg.account).then(
      (found) => {
        if (found) leg.payer = found;
        // It may be over by now.
        if (!talking.has(key)) countLeg(leg);
      },
      () => {},
    );
  };

  return {
    dialled: ({ shard, account, id }, leg, name, number) => {
      const found = trunk(name);
      if (!found) return;
      const price = legTariffOf(found, number);
      const counted = { trunk: 0, account: 0 };
      legs.set(keyOf({ shard, account, id }, leg), {
        ...{ trunk: found.id, account, counted },
        ...(price && { price }),
      });
    },
    hear: (caller, fact) => {
      if (typeof fact['leg'] !== 'number') return;
      const key = keyOf(caller, fact['leg']);
      const leg = legs.get(key) ?? talking.get(key);
      if (!leg) return;
      if (fact.type === 'answered') answered(key, leg);
      if (fact.type !== 'hungUp') return;
      leg.endedAt = now();
      legs.delete(key);
      if (talking.delete(key)) countLeg(leg);
    },
    count: () => {
      for (const leg of talking.values()) countLeg(leg);
    },
  };
};

const keyOf = ({ shard, account, id }: CallMachineRef, leg: number): string =>
  `${shard}.${account}.${id}.${leg}`;
