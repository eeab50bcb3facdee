/** A line that is joined at the end, left at the front, and sometimes joined at the front again. */
export class Deque<Item> {
  /** Those who came back, the next one last. */
  readonly #front: Item[] = [];
  #items: Item[] = [];
  #next = 0;

  get length(): number {
    return this.#front.length + this.#items.length - this.#next;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  unshift(item: Item): void {
    this.#front.push(item);
  }

  shift(): Item | undefined {
    if (this.#front.length > 0) return this.#front.pop();
    const item = this.#items[this.#next];
    if (item === undefined) return undefined;
    this.#next += 1;
    if (this.#next > 1_000 && this.#next * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#next);
      this.#next = 0;
    }
    return item;
  }
}
