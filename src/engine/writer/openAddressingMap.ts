/**
 * A map by id with open addressing and linear probing, for entries that change all the time. A `Map` would do the same
 * at a price: see `contract/intrusiveList.ts`. A removal moves later entries up, so that there are no tombstones.
 */
const LEAST_BITS = 4;

export class OpenAddressingMap<Value extends object> {
  #bits = LEAST_BITS;
  #ids = new Float64Array(1 << LEAST_BITS);
  #values = places<Value>(1 << LEAST_BITS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: number): Value | undefined {
    return this.#values[this.#placeOf(id)];
  }

  /** Puts a value in place of an earlier one. */
  set(id: number, value: Value): void {
    const place = this.#placeOf(id);
    const isNew = this.#values[place] === undefined;
    this.#ids[place] = id;
    this.#values[place] = value;
    if (!isNew) return;
    this.#size += 1;
    if (this.#size * 2 > this.#values.length) this.#resize(this.#bits + 1);
  }

  delete(id: number): void {
    const place = this.#placeOf(id);
    if (this.#values[place] === undefined) return;
    this.#close(place);
    this.#size -= 1;
    if (this.#bits > LEAST_BITS && this.#size * 8 < this.#values.length) this.#resize(this.#bits - 1);
  }

  /** Where an id stands, or would. */
  #placeOf(id: number): number {
    const last = this.#values.length - 1;
    let place = this.#homeOf(id);
    while (this.#values[place] !== undefined && this.#ids[place] !== id) place = (place + 1) & last;
    return place;
  }

  /** Where an id belongs. Those that follow each other do not lie beside each other. */
  #homeOf(id: number): number {
    const mixed = Math.imul(id ^ Math.imul(id / 2 ** 32, 0x9e3779b1), 0x85ebca6b);
    return mixed >>> (32 - this.#bits);
  }

  /** Empties a place; those behind it move up that would not be found otherwise. */
  #close(emptied: number): void {
    const last = this.#values.length - 1;
    let gap = emptied;
    for (let at = (gap + 1) & last; this.#values[at] !== undefined; at = (at + 1) & last) {
      const fromHome = (at - this.#homeOf(this.#ids[at]!)) & last;
      if (fromHome < ((at - gap) & last)) continue;
      this.#ids[gap] = this.#ids[at]!;
      this.#values[gap] = this.#values[at];
      gap = at;
    }
    this.#values[gap] = undefined;
  }

  #resize(bits: number): void {
    const [ids, values] = [this.#ids, this.#values];
    this.#bits = bits;
    this.#ids = new Float64Array(1 << bits);
    this.#values = places(1 << bits);
    for (const [at, value] of values.entries()) {
      if (value === undefined) continue;
      const place = this.#placeOf(ids[at]!);
      this.#ids[place] = ids[at]!;
      this.#values[place] = value;
    }
    // The old table keeps no references, so that it does not keep values alive.
    values.fill(undefined);
  }
}

const places = <Value>(count: number): (Value | undefined)[] =>
  Array.from({ length: count }, () => undefined);
