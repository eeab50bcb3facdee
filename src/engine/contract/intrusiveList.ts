/**
 * An intrusive doubly linked list, in the order of insertion.
 *
 * The engine uses it instead of a `Set`. A `Set` that changes all the time makes itself a new table every so often, and
 * each table that it leaves keeps a reference to the next, for iterators under way. Once such a table has reached V8's
 * old generation, minor collections treat everything in the later tables as alive and promote it; that took half of a
 * service's collection time. An item that leaves this list keeps no reference.
 */
export abstract class IntrusiveListNode {
  prev: this | null = null;
  next: this | null = null;
  /** Whether it stands in its list. It can stand in one only. */
  listed = false;
}

export class IntrusiveList<Item extends IntrusiveListNode> {
  #oldest: Item | null = null;
  #youngest: Item | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Takes one in, at the young end. Throws when it stands in a list already. */
  add(item: Item): void {
    if (item.listed) throw new Error('it stands in a list already');
    item.listed = true;
    item.prev = this.#youngest;
    if (this.#youngest) this.#youngest.next = item;
    else this.#oldest = item;
    this.#youngest = item;
    this.#size += 1;
  }

  /** Lets one go; false: it was not here. */
  remove(item: Item): boolean {
    if (!item.listed) return false;
    const { prev: older, next: younger } = item;
    if (older) older.next = younger;
    else this.#oldest = younger;
    if (younger) younger.prev = older;
    else this.#youngest = older;
    item.prev = null;
    item.next = null;
    item.listed = false;
    this.#size -= 1;
    return true;
  }

  clear(): void {
    for (const item of this) this.remove(item);
  }

  /** From the oldest to the youngest. The one at hand may be removed meanwhile, and no other. */
  *[Symbol.iterator](): Generator<Item> {
    for (let item = this.#oldest; item;) {
      const next: Item | null = item.next;
      yield item;
      item = next;
    }
  }
}
