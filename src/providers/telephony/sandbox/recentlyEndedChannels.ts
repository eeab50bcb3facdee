/**
 * Channels that ended are remembered for a while, for those who still ask: a process that was killed before it had
 * written down what it was told, or one that was away when the call ended.
 */

/** An ending that we told may be asked for again within moments; one that was never told must wait for its adopter. */
const atMost = { told: 2_000, untold: 50_000 };
const rememberedMs = 600_000;

export interface RecentlyEndedChannels<Item> {
  /** Keeps an ending, or keeps it among the others when it has been told since; forgets the oldest. */
  add(item: Item, kind: keyof typeof atMost, now: number): void;
  /** It lives again, or another has taken its name. */
  remove(item: Item): void;
}

/** `forget` is called for each ending that is too old, or one too many, with the moment of its end. */
export const recentlyEndedChannels = <Item>(
  forget: (item: Item, since: number) => void,
): RecentlyEndedChannels<Item> => {
  // A map keeps the order in which endings came; the value is when.
  const kept = { told: new Map<Item, number>(), untold: new Map<Item, number>() };

  const forgetOldest = (kind: keyof typeof atMost, now: number): void => {
    for (const [item, since] of kept[kind]) {
      if (kept[kind].size <= atMost[kind] && now - since < rememberedMs) return;
      kept[kind].delete(item);
      forget(item, since);
    }
  };

  return {
    add: (item, kind, now) => {
      if (kept[kind].has(item)) return;
      kept[kind === 'told' ? 'untold' : 'told'].delete(item);
      kept[kind].set(item, now);
      forgetOldest('told', now);
      forgetOldest('untold', now);
    },
    remove: (item) => {
      kept.told.delete(item);
      kept.untold.delete(item);
    },
  };
};
