/** A FIFO queue. An entry at the end, or in the middle, is removed at the same small cost. */
interface Link<Item> {
  item: Item;
  before: Link<Item> | undefined;
  after: Link<Item> | undefined;
}

export class LinkedQueue<Item> {
  readonly #links = new Map<Item, Link<Item>>();
  #first: Link<Item> | undefined;
  #last: Link<Item> | undefined;

  get first(): Item | undefined {
    return this.#first?.item;
  }

  get last(): Item | undefined {
    return this.#last?.item;
  }

  push(item: Item): void {
    const link: Link<Item> = { item, before: this.#last, after: undefined };
    if (this.#last) this.#last.after = link;
    else this.#first = link;
    this.#last = link;
    this.#links.set(item, link);
  }

  remove(item: Item): void {
    const link = this.#links.get(item);
    if (!link) return;
    this.#links.delete(item);
    if (link.before) link.before.after = link.after;
    else this.#first = link.after;
    if (link.after) link.after.before = link.before;
    else this.#last = link.before;
  }
}
