/** Virtual time: what is due next happens next, and nothing waits. */

/** Something that is going to happen, unless it is called off. */
export interface Alarm {
  at: number;
  /** Breaks ties: what was set first happens first. */
  order: number;
  /** Undefined once it was called off. */
  run: (() => void) | undefined;
}

export class VirtualClock {
  #now: number;
  #order = 0;
  /** A binary heap, the earliest on top. */
  readonly #heap: Alarm[] = [];

  /** Epoch milliseconds. */
  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** Calls `run` after so many milliseconds. */
  set(ms: number, run: () => void): Alarm {
    const alarm = { at: this.#now + Math.max(0, ms), order: this.#order++, run };
    this.#heap.push(alarm);
    this.#rise(this.#heap.length - 1);
    return alarm;
  }

  /** `set` as the desks know it: the answer calls it off. */
  after(ms: number, run: () => void): () => void {
    const alarm = this.set(ms, run);
    return () => (alarm.run = undefined);
  }

  /** When the next thing happens; undefined: nothing will. */
  next(): number | undefined {
    while (this.#heap.length > 0 && !this.#heap[0]!.run) this.#take();
    return this.#heap[0]?.at;
  }

  /** Lets the next thing happen. */
  step(): void {
    const { at, run } = this.#take();
    if (!run) return;
    this.#now = at;
    run();
  }

  #take(): Alarm {
    const heap = this.#heap;
    const top = heap[0]!;
    const last = heap.pop()!;
    if (heap.length > 0) {
      heap[0] = last;
      this.#sink();
    }
    return top;
  }

  #rise(from: number): void {
    const heap = this.#heap;
    const alarm = heap[from]!;
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(alarm, heap[parent]!)) break;
      heap[place] = heap[parent]!;
      place = parent;
    }
    heap[place] = alarm;
  }

  #sink(): void {
    const heap = this.#heap;
    const alarm = heap[0]!;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, alarm)) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = alarm;
  }
}

const isBefore = (one: Alarm, other: Alarm): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);
