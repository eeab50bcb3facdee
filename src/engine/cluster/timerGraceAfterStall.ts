/**
 * Detects that this process was stopped, suspended, starved or cut off from its database. After such a stall all timers
 * are due at once, while events of that time are still unread. Timers are therefore postponed by the stall's length, at
 * most half the grace time, so that those events are applied first.
 */
import type { ClusterMembership } from './membership.ts';
import type { Clock } from '../contract/ports.ts';

const PULSE_MS = 250;

export class ProcessStallDetector {
  readonly #clock: Clock;
  readonly #membership: ClusterMembership;
  #awakeAt: number;
  #hearsUntil = -Infinity;
  #cancel: () => void = () => {};

  constructor(clock: Clock, membership: ClusterMembership) {
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
  get catchUpMs(): number {
    this.#look();
    return Math.max(0, Math.ceil(this.#hearsUntil - this.#clock.monotonic()));
  }

  /** Time that it did not live through has passed at once. */
  missed(ms: number): void {
    this.#hearFor(ms);
  }

  #pulse(): void {
    this.#cancel = this.#clock.after(PULSE_MS, () => {
      this.#look();
      this.#pulse();
    });
  }

  #look(): void {
    const now = this.#clock.monotonic();
    const stalledMs = this.#membership.fresh ? now - this.#awakeAt - PULSE_MS : Infinity;
    this.#awakeAt = now;
    if (stalledMs > PULSE_MS) this.#hearFor(stalledMs);
  }

  #hearFor(ms: number): void {
    const until = this.#clock.monotonic() + Math.min(ms, this.#membership.graceMs / 2);
    this.#hearsUntil = Math.max(this.#hearsUntil, until);
  }
}
