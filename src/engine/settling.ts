/**
 * Acceptances with nothing to tell wait here for the machine's next step; one that takes no step soon gets a write
 * of its own. Nothing is lost when the process dies first: the effect is then still owed, and reconciled.
 */
import { Linked, LinkedList } from './linked.ts';
import type { Clock } from './ports.ts';
import type { Resident } from './resident.ts';

const LINGER_MS = 1_000;

/** A machine's wait, and when it ends, monotonic. */
export class Wait extends Linked {
  readonly resident: Resident;
  readonly until: number;

  constructor(resident: Resident, until: number) {
    super();
    this.resident = resident;
    this.until = until;
  }
}

export class Settling {
  readonly #clock: Clock;
  readonly #write: (resident: Resident) => void;
  /** Those who wait longest come first. */
  readonly #waiting = new LinkedList<Wait>();
  #planned = false;

  constructor(clock: Clock, write: (resident: Resident) => void) {
    this.#clock = clock;
    this.#write = write;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** `now`: the machine has nothing else to do, so it is written at once. */
  add(resident: Resident, now: boolean): void {
    if (now) {
      this.drop(resident);
      this.#write(resident);
    } else if (!resident.wait) {
      resident.wait = new Wait(resident, this.#clock.monotonic() + LINGER_MS);
      this.#waiting.add(resident.wait);
      this.#plan();
    }
  }

  /** Nothing waits here for this machine any more. */
  drop(resident: Resident): void {
    if (resident.wait) this.#waiting.remove(resident.wait);
    resident.wait = null;
  }

  /** Writes all that waits. */
  flush(): void {
    for (const { resident } of this.#waiting) this.#let(resident);
  }

  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    this.#clock.after(LINGER_MS / 4, () => {
      this.#planned = false;
      const now = this.#clock.monotonic();
      for (const { resident, until } of this.#waiting) {
        if (until > now) break;
        this.#let(resident);
      }
      if (this.#waiting.size > 0) this.#plan();
    });
  }

  #let(resident: Resident): void {
    this.drop(resident);
    if (resident.settled.length > 0) this.#write(resident);
  }
}
