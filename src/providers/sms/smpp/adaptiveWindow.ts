/** How fast a link goes: a window that halves and pauses when the SMSC throttles, and grows again as it takes. */

const firstPauseMs = 250;
const longestPauseMs = 5_000;

export class AdaptiveSendWindow {
  readonly #window: number;
  readonly #now: () => number;
  /** Parts that may be on the wire now; grows by one for each whole window that went well. */
  #room: number;
  #pauseMs = firstPauseMs;
  #until = 0;

  constructor(window: number, now: () => number) {
    this.#window = window;
    this.#now = now;
    this.#room = window;
  }

  allows(inFlight: number): boolean {
    return inFlight < Math.floor(this.#room) && this.#now() >= this.#until;
  }

  went(): void {
    this.#pauseMs = firstPauseMs;
    this.#room = Math.min(this.#window, this.#room + 1 / this.#room);
  }

  /** Those that were on the wire together are throttled together, and count once. */
  throttled(): void {
    const now = this.#now();
    if (now < this.#until) return;
    this.#until = now + this.#pauseMs;
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
    this.#room = Math.max(1, this.#room / 2);
  }

  /** A new link knows nothing of the last one. */
  reset(): void {
    this.#room = this.#window;
    this.#pauseMs = firstPauseMs;
    this.#until = 0;
  }
}
