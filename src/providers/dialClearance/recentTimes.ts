/** Moments of the last while, oldest first; older ones are forgotten as they are counted. */
export class RecentTimes {
  readonly #ms: number;
  #times: number[] = [];
  #first = 0;

  /** `ms`: how long a moment counts. */
  constructor(ms: number) {
    this.#ms = ms;
  }

  add(now: number): void {
    this.#times.push(now);
  }

  count(now: number): number {
    while (this.#first < this.#times.length && now - this.#times[this.#first]! >= this.#ms) this.#first += 1;
    if (this.#first > 1_000 && this.#first * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#first);
      this.#first = 0;
    }
    return this.#times.length - this.#first;
  }

  /** Milliseconds until the oldest that counts does no longer; 0 when none counts. */
  untilFewer(now: number): number {
    return this.count(now) === 0 ? 0 : Math.ceil(this.#times[this.#first]! + this.#ms - now);
  }
}
