/**
 * Places on trunks that are held: by key, counted by trunk and by owner. One that was never dialled with, or is held for
 * longer than its leg may last, is free again: its end was not reported.
 */

/** What a key holds. */
export interface Slot {
  readonly trunk: string;
  readonly since: number;
  leg?: number;
  /** Longest time from `since` to the end of its leg, milliseconds. Absent: that of the longest call. */
  longestMs?: number;
  readonly owner?: string;
}

/** A slot that is not dialled with is free again after this long: its call ended while it waited. */
const UNUSED_MS = 60_000;

/** The longest that a call may last (`timelimit`), with its ringing and the carrier's net: 4.25 hours. */
const LONGEST_LEG_MS = 15_300_000;

/** The end of a leg is reported within this time, milliseconds. */
export const LEG_END_REPORT_DEADLINE_MS = 60_000;

export class HeldSlots {
  readonly #now: () => number;
  readonly #heldMs: number;
  /** In the order they were granted, so the oldest comes first. */
  readonly #byKey = new Map<string, Slot>();
  readonly #onTrunk = new Map<string, number>();
  readonly #ofOwner = new Map<string, number>();

  /** `heldMs`: a slot of which it is not known how long its leg may last is given back after this long. */
  constructor(now: () => number, heldMs = LONGEST_LEG_MS) {
    this.#now = now;
    this.#heldMs = heldMs;
  }

  get size(): number {
    return this.#byKey.size;
  }

  find(key: string): Slot | undefined {
    return this.#byKey.get(key);
  }

  /** Slots on a trunk. */
  on(trunk: string): number {
    return this.#onTrunk.get(trunk) ?? 0;
  }

  /** Slots of an owner. */
  of(owner: string): number {
    return this.#ofOwner.get(owner) ?? 0;
  }

  /** The key holds none yet. */
  hold(key: string, slot: Slot): void {
    this.#byKey.set(key, slot);
    add(this.#onTrunk, slot.trunk, 1);
    if (slot.owner !== undefined) add(this.#ofOwner, slot.owner, 1);
  }

  /** Whether the key held one. */
  giveBack(key: string): boolean {
    const slot = this.#byKey.get(key);
    if (!slot) return false;
    this.#byKey.delete(key);
    add(this.#onTrunk, slot.trunk, -1);
    if (slot.owner !== undefined) add(this.#ofOwner, slot.owner, -1);
    return true;
  }

  /** Frees slots that were not dialled with in time, and those held longer than any call lasts. */
  forgetStale(): void {
    const now = this.#now();
    for (const [key, slot] of this.#byKey) {
      if (slot.since > now - UNUSED_MS) break;
      if (slot.leg === undefined || slot.since <= now - this.#longestOf(slot)) this.giveBack(key);
    }
  }

  /** Until the oldest is free by itself, milliseconds. */
  oldestEndsIn(): number {
    const oldest = this.#byKey.values().next().value;
    if (!oldest) return this.#heldMs;
    return Math.max(1, oldest.since + this.#longestOf(oldest) - this.#now());
  }

  #longestOf({ longestMs }: Slot): number {
    return longestMs ?? this.#heldMs;
  }
}

/** Counts that are zero are forgotten. */
const add = (counts: Map<string, number>, name: string, one: 1 | -1): void => {
  const count = (counts.get(name) ?? 0) + one;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
};
