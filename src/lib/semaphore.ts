/** Work that only so many may do at a time; the others wait in the order in which they came. */

export interface SemaphoreOptions {
  /** Work that may wait. Default: any amount. */
  waiting?: number;
  /** What is thrown where more would wait; it is told how many wait. Default: a plain `Error`. */
  tooMany?: (waiting: number) => Error;
}

export class Semaphore {
  #free: number;
  readonly #most: number;
  readonly #tooMany: (waiting: number) => Error;
  readonly #queue = new Set<() => void>();

  /** `atOnce`: work at a time. */
  constructor(atOnce: number, options: SemaphoreOptions = {}) {
    this.#free = atOnce;
    this.#most = options.waiting ?? Infinity;
    this.#tooMany = options.tooMany ?? ((waiting) => new Error(`${waiting} wait for their turn already`));
  }

  /**
   * Does the work when its turn has come. Rejects as the work does, with `tooMany` when too many wait already, and with
   * the signal's reason when it is aborted before the turn has come; then the work is not begun.
   */
  async take<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else if (this.#queue.size >= this.#most) throw this.#tooMany(this.#queue.size);
    else await this.#wait(signal);
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#queue.delete(begin);
        reject(signal!.reason as Error);
      };
      this.#queue.add(begin);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Passes the place from a holder that has ended directly to the first waiter, so that a newcomer cannot take it. */
  #next(): void {
    const [first] = this.#queue;
    if (!first) {
      this.#free += 1;
      return;
    }
    this.#queue.delete(first);
    first();
  }
}
