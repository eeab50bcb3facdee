/** Since when nothing is amiss. What comes late before that is excused; what comes late after it is not. */
import type { World } from './world.ts';

export class Calm {
  readonly #world: World;
  readonly #troubled: () => boolean;
  #until = 0;

  /** `troubled`: whether things go wrong now. */
  constructor(world: World, troubled: () => boolean) {
    this.#world = world;
    this.#troubled = troubled;
  }

  /** Something is amiss, and is felt until then (virtual milliseconds). */
  disturbed(until: number): void {
    this.#until = Math.max(this.#until, until);
  }

  /** For how long it has been calm by now, milliseconds; 0: it is not. */
  get lastsFor(): number {
    return this.#troubled() ? 0 : Math.max(0, this.#world.now - this.#until);
  }
}
