/**
 * Whether this process was away: stopped, starved, or cut off from its database. Timers go on meanwhile, and come due
 * all at once when it is back, while what the world told still waits outside. So for as long as it was away, half a
 * grace time at most, it hears before its timers judge.
 */
import type { Membership } from './membership.ts';
import type { Clock } from './ports.ts';

const PULSE_MS = 250;

export class Absence {
  readonly #clock: Clock;
  readonly #membership: Membership;
  #awakeAt: number;
  #hearsUntil = -Infinity;
  #cancel: () => void = () => {};

  constructor(clock: Clock, membership: Membership) {
    this.#clock = clock;
    this.#membership = membership;
    this.#awakeAt = clock.monotonic();
  }

  /** Begins to notice. */
  start(): void {
    this.#awakeAt = this.#clock.monotonic();
    this.#pulse();
  }

  stop(): void {
    this.#cancel();
  }

  /** Milliseconds for which it still hears what it missed; 0 when it missed nothing. */
  get hearsFor(): number {
    this.#look();
    return Math.max(0, this.#hearsUntil - this.#clock.monotonic());
  }

  #pulse(): void {
    this.#cancel = this.#clock.after(PULSE_MS, () => {
      this.#look();
      this.#pulse();
    });
  }

  #look(): void {
    const now = this.#clock.monotonic();
    const longest = this.#membership.graceMs / 2;
    const away = this.#membership.fresh ? now - this.#awakeAt - PULSE_MS : longest;
    this.#awakeAt = now;
    if (away > PULSE_MS) this.#hearsUntil = Math.max(this.#hearsUntil, now + Math.min(away, longest));
  }
}
