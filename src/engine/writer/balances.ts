/** Which purse a start runs into, when it was not written. */
import type { BatchItem } from './batchItem.ts';
import type { BookingWrite, PurseKey } from '../contract/store.ts';

/** What purses hold, by their names (`purseOf`); one that is missing holds nothing. */
export type Balances = ReadonlyMap<string, number>;

/** Names a purse among those of a shard. */
export const balanceKey = ({ account, purse }: PurseKey): string => `${account} ${purse}`;

/** The purses that starts take from, each once. */
export const debitedBalances = (items: readonly BatchItem[]): PurseKey[] => {
  const purses = new Map<string, PurseKey>();
  for (const item of items)
    for (const { account, purse } of takesOf(item))
      purses.set(balanceKey({ account, purse }), { account, purse });
  return [...purses.values()];
};

/** The first purse that holds too little for this start alone; undefined: they bear it. */
export const shortfall = (item: BatchItem, held: Balances): PurseKey | undefined => {
  const left = new Map<string, number>();
  return takesOf(item).find((take) => {
    const name = balanceKey(take);
    const rest = (left.get(name) ?? held.get(name) ?? 0) + take.amount;
    left.set(name, rest);
    return rest < 0;
  });
};

/** Only a start takes. */
const takesOf = ({ tx, start }: BatchItem): readonly BookingWrite[] =>
  start ? tx.bookings.filter(({ amount }) => amount < 0) : [];
