/** The other processes that have rows, and whether they live: by their rows that move, seen on a clock of one's own. */
import type { ShareRow } from '../../rules/trunks/shareOf.ts';

/** Rows of a process that stood still for so long are those of a dead one. */
const DEAD_MS = 10_000;
/** Legs of a dead process are taken over by others within this time, or have ended. */
const LEFT_MS = 30_000;

export class Neighbours {
  readonly #now: () => number;
  readonly #isProcessDead: (process: string) => boolean;
  readonly #beats = new Map<string, { beat: number; at: number }>();

  /** `now`: milliseconds of a monotonic clock. `isProcessDead`: whether it has surely ended. */
  constructor(now: () => number, isProcessDead: (process: string) => boolean) {
    this.#now = now;
    this.#isProcessDead = isProcessDead;
  }

  /** What stands in the rows now. */
  hear(rows: readonly ShareRow[]): void {
    for (const { process, beat } of rows)
      if (this.#beats.get(process)?.beat !== beat) this.#beats.set(process, { beat, at: this.#now() });
    const there = new Set(rows.map(({ process }) => process));
    for (const name of this.#beats.keys()) if (!there.has(name)) this.#beats.delete(name);
  }

  lives(process: string): boolean {
    return this.#silentMs(process) < DEAD_MS && !this.#isProcessDead(process);
  }

  /** Nothing of it counts any more. */
  isGone(process: string): boolean {
    return this.#silentMs(process) >= DEAD_MS + LEFT_MS;
  }

  #silentMs(process: string): number {
    return this.#now() - this.#beats.get(process)!.at;
  }
}
