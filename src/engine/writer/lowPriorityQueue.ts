/**
 * Machines of low-priority kinds that wait for their turn, first in, first out. While the process has time to spare
 * they take turns with the others; while it has none they wait, so that the callbacks of a burst of calls follow the
 * burst. A few take their turn all the same: none waits longer than a minute, and no more than some thousands wait.
 */
import type { CachedMachine } from './cachedMachine.ts';

/** Maximum of low-priority machines in one batch, so that urgent work does not wait long for its end. */
const MOST = 64;
/** In a busy process one has its turn this often, milliseconds. */
const ONE_IN_MS = 250;
/** A machine that waited this long goes with the others, however busy the process is; so does one when more wait. */
export const LONGEST_LOW_PRIORITY_WAIT_MS = 60_000;
const LONGEST_QUEUE = 10_000;

interface Waiting {
  cached: CachedMachine;
  since: number;
}

export class LowPriorityQueue {
  #queue: Waiting[] = [];
  #head = 0;
  /** When the next has its turn in a busy process. */
  #nextAt = -Infinity;

  /** How many wait; one that was called meanwhile counts until its turn comes. */
  get size(): number {
    return this.#queue.length - this.#head;
  }

  /** `at`: monotonic milliseconds. */
  add(cached: CachedMachine, at: number): void {
    cached.phase = 'lowPriority';
    this.#queue.push({ cached, since: at });
  }

  /** Whose turn it is, at most `room` of them. */
  take(at: number, busy: boolean, room: number): CachedMachine[] {
    const most = busy ? room : Math.min(room, MOST);
    const taken: CachedMachine[] = [];
    while (taken.length < most && this.isDue(at, busy)) {
      const { cached } = this.#queue[this.#head++]!;
      if (cached.phase !== 'lowPriority') continue;
      this.#nextAt = at + ONE_IN_MS;
      cached.phase = 'ready';
      taken.push(cached);
    }
    if (this.#head > this.#queue.length / 2) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    return taken;
  }

  /** Whether the first machine's turn has come. */
  isDue(at: number, busy: boolean): boolean {
    const first = this.#queue[this.#head];
    if (first === undefined) return false;
    return (
      !busy ||
      at >= this.#nextAt ||
      at - first.since >= LONGEST_LOW_PRIORITY_WAIT_MS ||
      this.size > LONGEST_QUEUE
    );
  }

  clear(): void {
    this.#queue = [];
    this.#head = 0;
  }
}
