/** Which purse a start runs into, when it was not written. */
import type { Item } from './item.ts';
import type { BookingWrite, PurseKey } from './store.ts';

/** What purses hold, by their names (`purseOf`); one that is missing holds nothing. */
export type Held = ReadonlyMap<string, number>;

/** Names a purse among those of a shard. */
export const purseOf = ({ account, purse }: PurseKey): string => `${account} ${purse}`;

/** The purses that starts take from, each once. */
export const pursesOf = (items: readonly Item[]): PurseKey[] => {
  const purses = new Map<string, PurseKey>();
  for (const item of items)
    for (const { account, purse } of takesOf(item))
      purses.set(purseOf({ account, purse }), { account, purse });
  return [...purses.values()];
};

/** The first purse that holds too little for this start alone; undefined: they bear it. */
export const shortOf = (item: Item, held: Held): PurseKey | undefined => {
  const left = new Map<string, number>();
  return takesOf(item).find((take) => {
    const name = purseOf(take);
    const rest = (left.get(name) ?? held.get(name) ?? 0) + take.amount;
    left.set(name, rest);
    return rest < 0;
  });
};

/** Only a start takes. */
const takesOf = ({ draft, birth }: Item): readonly BookingWrite[] =>
  birth ? draft.bookings.filter(({ amount }) => amount < 0) : [];
