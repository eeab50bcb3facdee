/**
 * Detects that this host was suspended. Its monotonic clock stands still meanwhile, so that an old heartbeat looks
 * young, while the wall clock goes on. A wall clock that is set forward looks the same: what is under way is then
 * renewed once.
 *
 * A host whose clocks all stood still finds out at its next heartbeat, from the database's clock.
 */
import type { Clock } from '../contract/ports.ts';

export class SuspendDetector {
  readonly #clock: Clock;
  readonly #toleranceMs: number;
  /** Wall time minus monotonic time at the last heartbeat, or at the last jump. */
  #base: number;
  #resumedAt = -Infinity;
  /** Told how long it was suspended, milliseconds. */
  onResume: (suspendedMs: number) => void = () => {};

  /** `toleranceMs`: what the wall clock may gain on the monotonic one between two heartbeats. */
  constructor(clock: Clock, toleranceMs: number) {
    this.#clock = clock;
    this.#toleranceMs = toleranceMs;
    this.#base = clock.wall() - clock.monotonic();
  }

  /** When it was last resumed, monotonic; the age of anything before that is unknown. */
  resumedAt(): number {
    const now = this.#clock.monotonic();
    const gainedMs = this.#clock.wall() - now - this.#base;
    if (gainedMs < 0) this.#base += gainedMs;
    if (gainedMs > this.#toleranceMs) {
      this.#base += gainedMs;
      this.#resumedAt = now;
      this.onResume(gainedMs);
    }
    return this.#resumedAt;
  }

  /** A heartbeat begins: small differences up to here no longer count. */
  beat(): void {
    this.resumedAt();
    this.#base = this.#clock.wall() - this.#clock.monotonic();
  }

  /** Another clock says that it may have been suspended, before that moment (monotonic). */
  suspect(before: number): void {
    this.#resumedAt = Math.max(this.#resumedAt, before);
  }
}
