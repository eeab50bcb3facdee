/**
 * Who waits for a slot: the higher rank first; within a rank the lanes take turns (an account's single calls are one
 * lane, each of its campaigns another), and within a lane who came first.
 */
export interface Seat {
  /** Higher goes first. */
  rank: number;
  /** Lanes of the same rank are served by turns. */
  lane: string;
  grant: () => void;
}

/** Keys in the order they came. */
type Lane = Map<string, () => void>;

export class WaitingRoom {
  readonly #ranks = new Map<number, Map<string, Lane>>();
  /** Ranks that have somebody, the most urgent first. */
  #order: number[] = [];
  readonly #seats = new Map<string, { rank: number; lane: string }>();

  get size(): number {
    return this.#seats.size;
  }

  /** Takes a seat. Who has one in the same place keeps it, with the new grant; who sat elsewhere moves. */
  take(key: string, { rank, lane, grant }: Seat): void {
    const seat = this.#seats.get(key);
    if (seat && (seat.rank !== rank || seat.lane !== lane)) this.leave(key);
    this.#seats.set(key, { rank, lane });
    const lanes = this.#ranks.get(rank) ?? this.#opened(rank);
    const keys: Lane = lanes.get(lane) ?? new Map<string, () => void>();
    keys.set(key, grant);
    lanes.set(lane, keys);
  }

  /** Whether this key waits in this place. */
  waits(key: string, { rank, lane }: { rank: number; lane: string }): boolean {
    const seat = this.#seats.get(key);
    return seat?.rank === rank && seat.lane === lane;
  }

  leave(key: string): void {
    const seat = this.#seats.get(key);
    if (!seat) return;
    this.#seats.delete(key);
    const lanes = this.#ranks.get(seat.rank)!;
    const keys = lanes.get(seat.lane)!;
    keys.delete(key);
    if (keys.size === 0) lanes.delete(seat.lane);
    if (lanes.size === 0) this.#closed(seat.rank);
  }

  /** The next whose lane may go; it leaves its seat, and its lane goes to the end of the row. */
  next(mayGo: (lane: string) => boolean): { key: string; lane: string; grant: () => void } | undefined {
    for (const rank of this.#order) {
      const lanes = this.#ranks.get(rank)!;
      for (const [lane, keys] of lanes) {
        if (!mayGo(lane)) continue;
        const [key, grant] = keys.entries().next().value!;
        lanes.delete(lane);
        lanes.set(lane, keys);
        this.leave(key);
        return { key, lane, grant };
      }
    }
    return undefined;
  }

  #opened(rank: number): Map<string, Lane> {
    const lanes = new Map<string, Lane>();
    this.#ranks.set(rank, lanes);
    this.#order = [...this.#ranks.keys()].toSorted((one, other) => other - one);
    return lanes;
  }

  #closed(rank: number): void {
    this.#ranks.delete(rank);
    this.#order = this.#order.filter((other) => other !== rank);
  }
}
