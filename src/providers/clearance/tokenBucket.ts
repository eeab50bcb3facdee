/** So many grants a second on one trunk. What was not used is kept for a twentieth of a second, or for one grant. */

/** How much of a second's grants may go out at once. */
const BURST = 1 / 20;

export class TokenBucket {
  #tokens: number;
  #perSecond: number;
  #filledAt: number;

  /** Begins full. `now`: milliseconds of any clock that does not go back. */
  constructor(now: number, perSecond: number) {
    this.#tokens = sizeOf(perSecond);
    this.#perSecond = perSecond;
    this.#filledAt = now;
  }

  /** Whether one may go now. `perSecond` counts from now on; what was earned before was earned at the former rate. */
  has(now: number, perSecond: number): boolean {
    const earned = (Math.max(0, now - this.#filledAt) * this.#perSecond) / 1000;
    this.#perSecond = perSecond;
    this.#filledAt = now;
    this.#tokens = Math.min(sizeOf(perSecond), this.#tokens + earned);
    return this.#tokens >= 1;
  }

  /** One goes. */
  take(): void {
    this.#tokens -= 1;
  }

  /** Milliseconds from the last look until the next may go: 0 when one may; infinite at a rate of zero. */
  nextIn(): number {
    if (this.#tokens >= 1) return 0;
    return Math.max(1, Math.ceil(((1 - this.#tokens) * 1000) / this.#perSecond));
  }
}

const sizeOf = (perSecond: number): number => Math.max(1, perSecond * BURST);
