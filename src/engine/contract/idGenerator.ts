/**
 * Ids below 2^53 that ascend with time: 40 bits of milliseconds since 2024, 6 bits of node slot, 7 bits of sequence.
 * Enough until 2058, for 64 nodes a shard and 128,000 ids a second each.
 */
const EPOCH = Date.UTC(2024, 0, 1);
export const NODE_SLOT_COUNT = 64;
const SEQUENCE = 128;
const PER_MILLISECOND = NODE_SLOT_COUNT * SEQUENCE;

/** Counters give 31 bits; ids that are minted have been larger since the first minutes of 2024. */
const COUNTED_BELOW = 2 ** 31;

/**
 * Whether a counter gave this id, to a queue, an agent, a template or a campaign, whose machine has it too. Others may know it,
 * and tell the machine something, before it is born.
 */
export const isCounterId = (id: number): boolean => id < COUNTED_BELOW;

/** The smallest id that may be minted at this moment (epoch milliseconds). */
export const firstIdAt = (ms: number): number => Math.max(0, Math.floor(ms) - EPOCH) * PER_MILLISECOND;

/** When an id was minted, epoch milliseconds. */
export const timeOfId = (id: number): number => Math.floor(id / PER_MILLISECOND) + EPOCH;

/** About when an incarnation joined, epoch milliseconds (`ShardMachineStore.register`). */
export const incarnationJoinedAt = (incarnation: number): number => Math.floor(incarnation / NODE_SLOT_COUNT);

/** The lowest incarnation of that moment (epoch milliseconds). */
export const firstIncarnationAt = (ms: number): number => Math.floor(ms) * NODE_SLOT_COUNT;

/**
 * Ids that a heartbeat has not told of yet may be of so much later a time than the last that it told, milliseconds: they run
 * ahead of the clock in a burst, and above those of other nodes. The node that is given the slot next goes on above them.
 */
export const RESERVED_IDS_MS = 10_000;

/** What one step mints, its words for others, is minted for no later a time than this after its own id, milliseconds. */
const STEP_MS = 1_000;

/** An id above all that was minted in the step of that id. */
export const lowestIdAboveMachineStep = (stepId: number): number => firstIdAt(timeOfId(stepId) + STEP_MS);

/**
 * The id of a write over one that another node's step left, above all that was minted in that step: what a machine tells
 * is heard in the order of ids, and clocks of nodes may disagree. `minted`: what this node would take.
 */
export const raiseMintedIdAboveStep = (stepId: number, minted: number): number =>
  Math.max(minted, lowestIdAboveMachineStep(stepId) + (minted % PER_MILLISECOND));

/** The same in SQL. */
export const nextIdAboveStepIdsSql = (stepId: string, minted: string): string =>
  `greatest(${minted}, (${stepId} / ${PER_MILLISECOND} + ${STEP_MS}) * ${PER_MILLISECOND} + ${minted} % ${PER_MILLISECOND})`;

/** Mints the ids of one node slot; when a millisecond's ids are used up it borrows from the next. */
export class IdGenerator {
  readonly #slot: number;
  readonly #now: () => number;
  #millisecond: number;
  /** The first id takes a millisecond of its own: how much of the last one is used up is unknown. */
  #sequence = SEQUENCE;

  /** `after`: the last millisecond that a former holder of this slot minted ids for. */
  constructor(slot: number, now: () => number, after = 0) {
    this.#slot = slot;
    this.#now = now;
    this.#millisecond = after;
  }

  next(): number {
    const now = Math.floor(this.#now());
    if (now > this.#millisecond) {
      this.#millisecond = now;
      this.#sequence = 0;
    } else if (this.#sequence === SEQUENCE) {
      this.#millisecond += 1;
      this.#sequence = 0;
    }
    return firstIdAt(this.#millisecond) + this.#slot * SEQUENCE + this.#sequence++;
  }

  /** Mints nothing up to this id any more; another node may have minted that one. */
  advancePast(id: number): void {
    const millisecond = timeOfId(id);
    if (millisecond < this.#millisecond) return;
    this.#millisecond = millisecond;
    this.#sequence = SEQUENCE;
  }

  /** The last millisecond in use. */
  get millisecond(): number {
    return this.#millisecond;
  }
}
