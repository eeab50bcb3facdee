/** Work that only so many may do at a time; the others wait their turn, and only so many of those. */
import { Unavailable } from '../../engine/contract/api.ts';

export class Semaphore {
  #free: number;
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];

  /** `atOnce` work, `waiting` may wait. */
  constructor(atOnce: number, waiting: number) {
    this.#free = atOnce;
    this.#most = waiting;
  }

  /** Does the work when its turn has come. Throws `Unavailable` when too many wait already. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  #turn(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    if (this.#waiting.length >= this.#most)
      throw new Unavailable(`${this.#waiting.length} lists wait to be loaded`, 10);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
