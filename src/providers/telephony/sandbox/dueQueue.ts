/**
 * What is due first, of very many: a binary heap in which every item stands once and knows its place,
 * so that changing or forgetting a moment costs as little as adding one.
 */
export interface DueItem {
  /** The moment it is due. */
  due: number;
  /** Its place in the heap; -1 outside of it. The queue's own. */
  place: number;
}

export interface DueQueue<Item extends DueItem> {
  /** The earliest item; undefined when there is none. */
  first(): Item | undefined;
  /** Puts an item in at this moment, or moves it there; without a moment, takes it out. */
  set(item: Item, due: number | undefined): void;
}

export const dueQueue = <Item extends DueItem>(): DueQueue<Item> => {
  const heap: Item[] = [];

  const put = (item: Item, place: number): void => {
    heap[place] = item;
    item.place = place;
  };

  const rise = (item: Item): void => {
    while (item.place > 0) {
      const parent = heap[(item.place - 1) >> 1]!;
      if (parent.due <= item.due) return;
      const { place } = parent;
      put(parent, item.place);
      put(item, place);
    }
  };

  const sink = (item: Item): void => {
    for (;;) {
      const left = heap[2 * item.place + 1];
      const right = heap[2 * item.place + 2];
      const child = right && left && right.due < left.due ? right : left;
      if (!child || item.due <= child.due) return;
      const { place } = child;
      put(child, item.place);
      put(item, place);
    }
  };

  const settle = (item: Item): void => {
    rise(item);
    sink(item);
  };

  const remove = (item: Item): void => {
    if (item.place < 0) return;
    const last = heap.pop()!;
    if (last !== item) {
      put(last, item.place);
      settle(last);
    }
    item.place = -1;
  };

  return {
    first: () => heap[0],
    set: (item, due) => {
      if (due === undefined) return remove(item);
      item.due = due;
      if (item.place < 0) put(item, heap.length);
      settle(item);
    },
  };
};
