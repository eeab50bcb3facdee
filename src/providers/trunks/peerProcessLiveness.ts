/** The other processes that have rows, and whether they live: by their rows that move, seen on a clock of one's own. */
import type { ProcessTrunkShareRow } from '../../rules/trunks/trunkShareOfProcess.ts';
import type { TrunkCapacity } from '../dialClearance/capacityLimiter.ts';

/** Shares that were not renewed for so long are not used any more, milliseconds. */
export const TRUNK_SHARE_VALID_MS = 5_000;
/** What one process gives back is not used by another within so long, milliseconds: within a second both count. */
export const TRUNK_SHARE_HANDOVER_MS = 1_100;
/** Rows of a process that stood still for so long are those of a dead one. */
const DEAD_MS = 10_000;
/** Legs of a dead process are taken over by others within this time, or have ended. */
const LEFT_MS = 30_000;

/** What is known of a process, by a clock of one's own. */
interface Neighbour {
  beat: number;
  /** When this beat was seen first, and when all rows had been looked at before that. */
  at: number;
  after: number;
  /** When it was found dead; absent: it lives. */
  diedAt?: number;
}

export class TrunkSharePeerLiveness {
  readonly #now: () => number;
  readonly #isProcessDead: (process: string) => boolean;
  readonly #known = new Map<string, Neighbour>();
  #lookedAt = -Infinity;

  /** `now`: milliseconds of a monotonic clock. `isProcessDead`: whether it has surely ended. */
  constructor(now: () => number, isProcessDead: (process: string) => boolean) {
    this.#now = now;
    this.#isProcessDead = isProcessDead;
  }

  /** What stands in the rows now. They are written and looked at one after the other. */
  hear(rows: readonly ProcessTrunkShareRow[]): void {
    const now = this.#now();
    for (const { process, beat } of rows)
      if (this.#known.get(process)?.beat !== beat)
        this.#known.set(process, { beat, at: now, after: this.#lookedAt });
    const there = new Set(rows.map(({ process }) => process));
    for (const [name, known] of this.#known)
      if (!there.has(name)) this.#known.delete(name);
      else if (known.diedAt === undefined && this.#isDead(name)) known.diedAt = now;
    this.#lookedAt = now;
  }

  /** As of the rows that were heard last. */
  lives(process: string): boolean {
    return this.#known.get(process)!.diedAt === undefined;
  }

  /** Nothing of it counts any more. */
  isGone(process: string): boolean {
    return this.#silentMs(process) >= DEAD_MS + LEFT_MS;
  }

  /** What counts of the row of a process that is dead: what it begun of late, and the legs that it may have had. */
  leftBy({ process, callsPerSecond, legs, held }: ProcessTrunkShareRow): TrunkCapacity {
    const { after, diedAt } = this.#known.get(process)!;
    const unseenSeconds = Math.ceil(Math.min(TRUNK_SHARE_VALID_MS, diedAt! - after) / 1_000);
    return {
      callsPerSecond: this.#now() - diedAt! < TRUNK_SHARE_HANDOVER_MS ? callsPerSecond : 0,
      legs: Math.max(held, Math.min(legs, held + callsPerSecond * unseenSeconds)),
    };
  }

  #isDead(process: string): boolean {
    return this.#silentMs(process) >= DEAD_MS || this.#isProcessDead(process);
  }

  #silentMs(process: string): number {
    return this.#now() - this.#known.get(process)!.at;
  }
}
