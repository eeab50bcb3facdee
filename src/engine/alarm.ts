/**
 * Wake-up times of the machines this node holds: a heap of (due, machine), and what is armed for each.
 * Setting a machine again leaves its old heap entry behind; it no longer matches and is skipped.
 */
import type { Clock } from './ports.ts';

interface Due {
  at: number;
  account: number;
  id: number;
}

export class Alarm {
  readonly #clock: Clock;
  readonly #now: () => number;
  readonly #ring: (account: number, id: number, due: number) => void;
  readonly #armed = new Map<number, number>();
  #heap: Due[] = [];
  #cancel: (() => void) | null = null;
  #nextAt = Infinity;

  /** `now`: database time; `ring` is told of each machine whose time has come, with the time it was due. */
  constructor(clock: Clock, now: () => number, ring: (account: number, id: number, due: number) => void) {
    this.#clock = clock;
    this.#now = now;
    this.#ring = ring;
  }

  /** Arms a machine for a time, in place of an earlier one; null disarms it. */
  set(account: number, id: number, at: number | null): void {
    if (at === null) {
      this.#armed.delete(id);
      return;
    }
    if (this.#armed.get(id) === at) return;
    this.#armed.set(id, at);
    push(this.#heap, { at, account, id });
    if (at < this.#nextAt) this.#plan();
  }

  get size(): number {
    return this.#armed.size;
  }

  stop(): void {
    this.#cancel?.();
    this.#armed.clear();
    this.#heap = [];
  }

  #plan(): void {
    this.#cancel?.();
    const next = this.#heap[0];
    this.#nextAt = next?.at ?? Infinity;
    this.#cancel = next ? this.#clock.after(Math.max(0, next.at - this.#now()), () => this.#tick()) : null;
  }

  #tick(): void {
    const now = this.#now();
    for (let next = this.#heap[0]; next && next.at <= now; next = this.#heap[0]) {
      pop(this.#heap);
      if (this.#armed.get(next.id) !== next.at) continue;
      this.#armed.delete(next.id);
      this.#ring(next.account, next.id, next.at);
    }
    this.#plan();
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
