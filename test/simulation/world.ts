/**
 * Virtual time. What is going to happen waits in a heap; the earliest happens, everything that follows from it at
 * once is let run to its end, then the next. Nothing here knows of real time, so a seed always tells one story.
 */

interface Happening {
  at: number;
  order: number;
  run: (() => void) | null;
}

/** Happenings between two looks at the real event loop, which others in this process may wait for. */
const BREATH = 4_096;

export class World {
  /** Virtual milliseconds since the story began. */
  now = 0;
  happened = 0;
  #heap: Happening[] = [];
  #order = 0;

  /** Something will happen at that time; the returned function prevents it. */
  at(at: number, run: () => void): () => void {
    const happening: Happening = { at: Math.max(at, this.now), order: this.#order++, run };
    push(this.#heap, happening);
    return () => void (happening.run = null);
  }

  after(ms: number, run: () => void): () => void {
    return this.at(this.now + ms, run);
  }

  /** Lets time pass until `over` says so, looking every virtual second, or until that time. */
  async run(until: number, over: () => boolean = () => false): Promise<void> {
    let look = this.now;
    for (let next = this.#heap[0]; next && next.at <= until; next = this.#heap[0]) {
      pop(this.#heap);
      if (!next.run) continue;
      this.now = next.at;
      this.happened += 1;
      next.run();
      await settled();
      if (this.happened % BREATH === 0) await new Promise((resolve) => void setImmediate(resolve));
      if (this.now >= look) {
        if (over()) return;
        look = this.now + 1_000;
      }
    }
    this.now = Math.max(this.now, until);
  }
}

/** Settles once every promise that can go on has gone on: Node runs a tick only when no microtask is left. */
const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

const isBefore = (one: Happening, other: Happening): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

const push = (heap: Happening[], happening: Happening): void => {
  let at = heap.push(happening) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (isBefore(heap[parent]!, happening)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = happening;
};

const pop = (heap: Happening[]): void => {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
    if (isBefore(last, heap[child]!)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
};
