/**
 * So many grants a second on one trunk, spread over the second. What was not used is kept for a twentieth of a second, or for
 * one grant; within any second there are no more than the rate says.
 */

import { RecentTimes } from './recentTimes.ts';

/** How much of a second's grants may go out at once. */
const BURST = 1 / 20;
const SECOND_MS = 1_000;

export class TokenBucket {
  #tokens: number;
  #perSecond: number;
  #filledAt: number;
  readonly #grants = new RecentTimes(SECOND_MS);

  /** Begins full. `now`: milliseconds of any clock that does not go back. */
  constructor(now: number, perSecond: number) {
    this.#tokens = sizeOf(perSecond);
    this.#perSecond = perSecond;
    this.#filledAt = now;
  }

  /** Whether one may go now. `perSecond` counts from now on; what was earned before was earned at the former rate. */
  has(now: number, perSecond: number): boolean {
    const earned = (Math.max(0, now - this.#filledAt) * this.#perSecond) / SECOND_MS;
    this.#perSecond = perSecond;
    this.#filledAt = now;
    this.#tokens = Math.min(sizeOf(perSecond), this.#tokens + earned);
    return this.#tokens >= 1 && this.inLastSecond(now) < Math.floor(perSecond);
  }

  /** One goes, at the moment of the last look. */
  take(): void {
    this.#tokens -= 1;
    this.#grants.add(this.#filledAt);
  }

  /** One goes now, whether it may or not: those that follow wait for it. */
  takeAt(now: number): void {
    this.has(now, this.#perSecond);
    this.take();
  }

  /** Grants of the last second. */
  inLastSecond(now: number): number {
    return this.#grants.count(now);
  }

  /** Milliseconds from the last look until the next may go: 0 when one may; infinite at a rate below one. */
  nextIn(): number {
    if (this.#perSecond < 1) return Infinity;
    const token = this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) * SECOND_MS) / this.#perSecond);
    const isFull = this.inLastSecond(this.#filledAt) >= Math.floor(this.#perSecond);
    const room = isFull ? this.#grants.untilFewer(this.#filledAt) : 0;
    return Math.max(token, room);
  }
}

const sizeOf = (perSecond: number): number => Math.max(1, perSecond * BURST);
