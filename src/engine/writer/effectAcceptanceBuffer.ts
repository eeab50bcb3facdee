/**
 * Acceptances with nothing to tell wait here for the machine's next step; one that takes no step soon gets a write
 * of its own. Nothing is lost when the process dies first: the effect is then still owed, and reconciled.
 */
import { IntrusiveList } from '../contract/intrusiveList.ts';
import type { Clock } from '../contract/ports.ts';
import { type CachedMachine, DeferredEffectAckWait } from './cachedMachine.ts';

const LINGER_MS = 1_000;

export class DeferredEffectAckBuffer {
  readonly #clock: Clock;
  readonly #write: (cached: CachedMachine) => void;
  /** Those who wait longest come first. */
  readonly #waiting = new IntrusiveList<DeferredEffectAckWait>();
  #planned = false;

  constructor(clock: Clock, write: (cached: CachedMachine) => void) {
    this.#clock = clock;
    this.#write = write;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** `now`: the machine has nothing else to do, so it is written at once. */
  add(cached: CachedMachine, now: boolean): void {
    if (now) {
      this.drop(cached);
      this.#write(cached);
    } else if (!cached.wait) {
      cached.wait = new DeferredEffectAckWait(cached, this.#clock.monotonic() + LINGER_MS);
      this.#waiting.add(cached.wait);
      this.#plan();
    }
  }

  /** Nothing waits here for this machine any more. */
  drop(cached: CachedMachine): void {
    if (cached.wait) this.#waiting.remove(cached.wait);
    cached.wait = null;
  }

  /** Writes all that waits. */
  flush(): void {
    for (const { cached } of this.#waiting) this.#let(cached);
  }

  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    this.#clock.after(LINGER_MS / 4, () => {
      this.#planned = false;
      const now = this.#clock.monotonic();
      for (const { cached, until } of this.#waiting) {
        if (until > now) break;
        this.#let(cached);
      }
      if (this.#waiting.size > 0) this.#plan();
    });
  }

  #let(cached: CachedMachine): void {
    this.drop(cached);
    if (cached.settled.length > 0) this.#write(cached);
  }
}
