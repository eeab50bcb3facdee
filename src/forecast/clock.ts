/** Virtual time: what is due next happens next, and nothing waits. */

/** Something that is going to happen, unless it is called off. */
export interface VirtualTimer {
  at: number;
  /** Breaks ties: what was set first happens first. */
  order: number;
  /** Undefined once it was called off. */
  run: (() => void) | undefined;
  /** The owner's name for it; empty: it needs none. */
  readonly name: string;
}

/** Fewer are not worth it. */
const SWEPT_FROM = 1_000;

export class VirtualClock {
  #now: number;
  #order = 0;
  /** A binary heap, the earliest on top. */
  #heap: VirtualTimer[] = [];
  /** Alarms in the heap that were called off. */
  #dead = 0;

  /** Epoch milliseconds, rounded. */
  constructor(start: number) {
    this.#now = Math.round(start);
  }

  now(): number {
    return this.#now;
  }

  /**
   * Calls `run` after so many milliseconds, rounded up: before its moment a chart would look at it again, and again at the
   * same time, for ever.
   */
  set(ms: number, run: () => void, name = ''): VirtualTimer {
    const alarm: VirtualTimer = {
      at: this.#now + Math.max(0, Math.ceil(ms)),
      order: this.#order++,
      run,
      name,
    };
    this.#heap.push(alarm);
    this.#rise(this.#heap.length - 1);
    return alarm;
  }

  /** `set` as providers know it: the answer calls it off. */
  after(ms: number, run: () => void): () => void {
    const alarm = this.set(ms, run);
    return () => this.callOff(alarm);
  }

  /** It will not happen. Most timers are called off: they are swept out when they are half of all. */
  callOff(alarm: VirtualTimer): void {
    if (!alarm.run) return;
    alarm.run = undefined;
    this.#dead += 1;
    if (this.#dead > SWEPT_FROM && this.#dead * 2 > this.#heap.length) this.#sweep();
  }

  /** When the next thing happens; undefined: nothing will. */
  next(): number | undefined {
    while (this.#heap.length > 0 && !this.#heap[0]!.run) {
      this.#take();
      this.#dead -= 1;
    }
    return this.#heap[0]?.at;
  }

  /** Lets the next thing happen. */
  step(): void {
    if (this.next() === undefined) return;
    const alarm = this.#take();
    const run = alarm.run!;
    alarm.run = undefined;
    this.#now = alarm.at;
    run();
  }

  #sweep(): void {
    this.#heap = this.#heap.filter(({ run }) => run);
    this.#dead = 0;
    for (let place = (this.#heap.length >> 1) - 1; place >= 0; place--) this.#sink(place);
  }

  #take(): VirtualTimer {
    const heap = this.#heap;
    const top = heap[0]!;
    const last = heap.pop()!;
    if (heap.length > 0) {
      heap[0] = last;
      this.#sink(0);
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

  #sink(from: number): void {
    const heap = this.#heap;
    const alarm = heap[from]!;
    let place = from;
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

const isBefore = (one: VirtualTimer, other: VirtualTimer): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);
