/** Which balance a start runs into, when it was not written. */
import type { CommitBatchItem } from './batchItem.ts';
import type { BalanceBookingWrite, BalanceKey } from '../contract/rows.ts';

/** What balances hold, by their names (`balanceOf`); one that is missing holds nothing. */
export type CurrentBalancesByKey = ReadonlyMap<string, number>;

/** Names a balance among those of a shard. */
export const balanceKey = ({ account, balance }: BalanceKey): string => `${account} ${balance}`;

/** Names of the balances that a batch moves. */
export const movedBalances = (items: readonly CommitBatchItem[]): ReadonlySet<string> => {
  const moved = new Set<string>();
  for (const { tx } of items) {
    for (const booking of tx.bookings) moved.add(balanceKey(booking));
    for (const child of tx.children) for (const booking of child.bookings) moved.add(balanceKey(booking));
  }
  return moved;
};

/** The balances that starts take from, each once. */
export const listDebitedBalanceKeys = (items: readonly CommitBatchItem[]): BalanceKey[] => {
  const balances = new Map<string, BalanceKey>();
  for (const item of items)
    for (const { account, balance } of takesOf(item))
      balances.set(balanceKey({ account, balance }), { account, balance });
  return [...balances.values()];
};

/** The first balance that holds too little for this start alone; undefined: they bear it. */
export const findFirstInsufficientBalance = (
  item: CommitBatchItem,
  held: CurrentBalancesByKey,
): BalanceKey | undefined => {
  const left = new Map<string, number>();
  return takesOf(item).find((take) => {
    const name = balanceKey(take);
    const rest = (left.get(name) ?? held.get(name) ?? 0) + take.amount;
    left.set(name, rest);
    return rest < 0;
  });
};

/** Only a start takes. */
const takesOf = ({ tx, start }: CommitBatchItem): readonly BalanceBookingWrite[] =>
  start ? tx.bookings.filter(({ amount }) => amount < 0) : [];
