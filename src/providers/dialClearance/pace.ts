/** How many grants a second there really are while calls wait: legs that are long up make it less than the carrier's. */

/** It is measured over so long, milliseconds. */
const WINDOW_MS = 30_000;

export class Pace {
  #since: number | undefined;
  #grants = 0;
  #measured: number | undefined;

  granted(now: number): void {
    this.#roll(now);
    this.#grants += 1;
  }

  /** Grants a second in the last full window; undefined: it is not known yet. */
  perSecond(now: number): number | undefined {
    this.#roll(now);
    return this.#measured;
  }

  /** To be called when the queue is empty: what was measured says nothing of the next time. */
  forget(): void {
    this.#since = undefined;
    this.#measured = undefined;
  }

  #roll(now: number): void {
    if (this.#since === undefined || now < this.#since) {
      this.#since = now;
      this.#grants = 0;
    }
    const ms = now - this.#since;
    if (ms < WINDOW_MS) return;
    this.#measured = (this.#grants * 1000) / ms;
    this.#since = now;
    this.#grants = 0;
  }
}
