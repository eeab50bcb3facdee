/**
 * Wake-up times of the machines of this node, as a heap. Most times are postponed at every step, long before they come.
 * So a machine stands in the heap once, at the earliest time it was ever set to, and is pushed again when that has come.
 */
import type { Clock } from '../contract/ports.ts';

interface Wake {
  readonly account: number;
  readonly id: number;
  /** When it is to ring; Infinity: disarmed. */
  at: number;
  /** For when it stands in the heap, never later than `at`. */
  due: number;
}

/** A place in the heap; one for another time than the machine's `due` is left over. */
interface Due {
  at: number;
  wake: Wake;
}

/** Where many times follow each other closely, those within this time ring together: one read, and one commit, for all. */
const GATHER_MS = 5;
/** How often it looks at the time at least: that may go on faster than timers do, and jumps where a machine was suspended. */
const LOOK_MS = 1_000;

export class TimerHeap {
  readonly #clock: Clock;
  readonly #now: () => number;
  readonly #ring: (account: number, id: number, due: number) => void;
  readonly #wakes = new Map<number, Wake>();
  #heap: Due[] = [];
  #cancel: (() => void) | null = null;
  #nextAt = Infinity;
  #rungAt = -Infinity;

  /** `now`: database time; `ring` is told of each machine whose time has come, with the time it was due. */
  constructor(clock: Clock, now: () => number, ring: (account: number, id: number, due: number) => void) {
    this.#clock = clock;
    this.#now = now;
    this.#ring = ring;
  }

  /** Arms a machine for a time, in place of an earlier one; null disarms it. */
  set(account: number, id: number, at: number | null): void {
    const wake = this.#wakes.get(id);
    if (wake) {
      wake.at = at ?? Infinity;
      if (wake.at < wake.due) this.#place(wake);
    } else if (at !== null) {
      const made = { account, id, at, due: at };
      this.#wakes.set(id, made);
      this.#place(made);
    }
  }

  stop(): void {
    this.#cancel?.();
    this.#wakes.clear();
    this.#heap = [];
  }

  #place(wake: Wake): void {
    wake.due = wake.at;
    push(this.#heap, { at: wake.at, wake });
    if (wake.at < this.#nextAt) this.#plan();
  }

  #plan(): void {
    this.#cancel?.();
    const next = this.#heap[0];
    this.#nextAt = next?.at ?? Infinity;
    const ringsAt = Math.max(this.#nextAt, this.#rungAt + GATHER_MS);
    const waitMs = Math.min(LOOK_MS, Math.max(0, ringsAt - this.#now()));
    this.#cancel = next ? this.#clock.after(waitMs, () => this.#tick()) : null;
  }

  #tick(): void {
    const now = this.#now();
    if (this.#nextAt <= now) this.#rungAt = now;
    // Nothing that is placed meanwhile plans a tick of its own.
    this.#nextAt = -Infinity;
    for (let next = this.#heap[0]; next && next.at <= now; next = this.#heap[0]) {
      pop(this.#heap);
      if (next.wake.due === next.at) this.#come(next.wake, now);
    }
    this.#plan();
  }

  /** A machine's turn in the heap has come: it rings, or was put off meanwhile. */
  #come(wake: Wake, now: number): void {
    if (wake.at > now && wake.at !== Infinity) {
      this.#place(wake);
      return;
    }
    this.#wakes.delete(wake.id);
    // What may be left over of it in the heap counts no more.
    wake.due = Number.NaN;
    if (wake.at <= now) this.#ring(wake.account, wake.id, wake.at);
  }
}

const push = (heap: Due[], due: Due): void => {
  let at = heap.push(due) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent]!.at <= due.at) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = due;
};

const pop = (heap: Due[]): void => {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]!.at < heap[child]!.at) child += 1;
    if (heap[child]!.at >= last.at) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
};
