/**
 * Callers who wait for a step to become durable, and for how long. One timer looks after all of them: most are
 * answered in milliseconds, and a timer each would cost more than the waiting.
 */
import type { Clock } from './ports.ts';

interface Caller {
  until: number;
  giveUp(): void;
}

const LOOK_MS = 250;

export class Patience {
  readonly #clock: Clock;
  readonly #ms: number;
  /** In the order they came, so the most patient stand last. */
  readonly #callers = new Set<Caller>();
  #planned = false;

  /** `ms`: how long each waits, to a quarter of a second. */
  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** `giveUp` is called when the time is over; the returned function ends the wait before. */
  wait(giveUp: () => void): () => void {
    const caller = { until: this.#clock.monotonic() + this.#ms, giveUp };
    this.#callers.add(caller);
    this.#plan();
    return () => void this.#callers.delete(caller);
  }

  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    this.#clock.after(LOOK_MS, () => {
      this.#planned = false;
      const now = this.#clock.monotonic();
      for (const caller of this.#callers) {
        if (caller.until > now) break;
        this.#callers.delete(caller);
        caller.giveUp();
      }
      if (this.#callers.size > 0) this.#plan();
    });
  }
}
