/**
 * What this process may put on each trunk, so that all processes together put no more on it than it bears.
 *
 * Each process has a row for each trunk and renews it every second. It takes more only out of what no row has, and uses it
 * once that is committed. What it gives back it stops using a second before its row says so: within any second no two
 * processes use the same unit. A process whose rows were not renewed for long is dead to the others; it stops before, by
 * clocks of which one goes on while the machine sleeps. Its legs keep their places until they have been adopted.
 */
import { PeriodicTask } from '../../lib/periodicTask.ts';
import type {
  DecideProcessTrunkShares,
  ProcessTrunkShareWrites,
  ProcessTrunkShareRow,
  TrunkSizes,
} from '../../rules/trunks/trunkShareOfProcess.ts';
import type { TrunkCapacity } from '../dialClearance/capacityLimiter.ts';
import {
  TRUNK_SHARE_HANDOVER_MS,
  TrunkSharePeerLiveness,
  TRUNK_SHARE_VALID_MS,
} from './peerProcessLiveness.ts';
import {
  minOfTrunkCapacities,
  nextTrunkCapacityShare,
  ZERO_TRUNK_CAPACITY,
  type TrunkCapacityShare,
  type ProcessTrunkUsage,
} from './nextProcessCapacityShare.ts';

export interface NamedTrunk {
  id: number;
  name: string;
}

export interface TrunkCapacitySharesOptions {
  /** Names the process, unlike any other. */
  process: string;
  trunks(): readonly NamedTrunk[];
  usageOf(trunk: string): ProcessTrunkUsage;
  /** Reads all rows and writes those of this process, in one transaction that no other overlaps. */
  exchange(decide: DecideProcessTrunkShares): Promise<void>;
  /** Whether a process has surely ended. */
  isProcessDead(process: string): boolean;
  /** `now`: milliseconds of a monotonic clock. `wall`: of the wall clock, which goes on while the machine sleeps. */
  clock: { now(): number; wall(): number; after(ms: number, run: () => void): () => void };
  log: { warn(fields: object, message: string): void; info(message: string): void };
}

const ROUND_MS = 1_000;

/** Begins with nothing. */
export class TrunkCapacityShareRenewer {
  readonly #options: TrunkCapacitySharesOptions;
  readonly #neighbours: TrunkSharePeerLiveness;
  readonly #shares = new Map<number, TrunkCapacityShare>();
  #byName = new Map<string, TrunkCapacityShare>();
  /** When they were renewed last, by both clocks. */
  #renewedAt = { now: -Infinity, wall: -Infinity };
  #beat = 0;
  readonly #task: PeriodicTask;

  constructor(options: TrunkCapacitySharesOptions) {
    this.#options = options;
    this.#task = new PeriodicTask({
      run: () => this.#round(),
      everyMs: ROUND_MS,
      after: options.clock.after,
      says: {
        failing: 'shares of trunks cannot be renewed: after 5 s nothing new is dialled',
        again: 'shares of trunks are renewed again',
      },
      log: options.log,
    });
    this.#neighbours = new TrunkSharePeerLiveness(() => options.clock.now(), options.isProcessDead);
  }

  /** What may be put on a trunk now; undefined: this process knows none of this name. */
  capacityOf(trunk: string): TrunkCapacity | undefined {
    const share = this.#byName.get(trunk);
    return share && (this.#isLapsed() ? ZERO_TRUNK_CAPACITY : share.usable);
  }

  /** Why nothing new is dialled now, as a sentence; undefined: shares are in use. */
  get problem(): string | undefined {
    if (!this.#isLapsed()) return undefined;
    return 'the shares of trunks could not be renewed for 5 s: nothing new is dialled until they are';
  }

  /** Renews them: at the start, and when a trunk was changed. Afterwards each second by itself. */
  renew(): Promise<void> {
    return this.#task.renew();
  }

  /** Gives its shares back, once what it began last is a second ago. */
  async stop(): Promise<void> {
    await this.#task.stop();
    this.#renewedAt = { now: -Infinity, wall: -Infinity };
    const { clock, exchange, log, trunks, usageOf } = this.#options;
    if (trunks().some(({ name }) => usageOf(name).perSecond > 0))
      await new Promise<void>((resolve) => void clock.after(TRUNK_SHARE_HANDOVER_MS, resolve));
    await exchange(() => this.#leave()).catch((error: unknown) =>
      log.warn({ err: error }, 'shares of trunks are left behind'),
    );
  }

  #isLapsed(): boolean {
    const { clock } = this.#options;
    const { now, wall } = this.#renewedAt;
    return clock.now() - now >= TRUNK_SHARE_VALID_MS || clock.wall() - wall >= TRUNK_SHARE_VALID_MS;
  }

  async #round(): Promise<void> {
    const { clock, exchange, trunks } = this.#options;
    const begun = { now: clock.now(), wall: clock.wall() };
    let next = new Map<number, TrunkCapacityShare>();
    await exchange((rows, sizes) => {
      next = this.#nextShares(rows, sizes);
      this.#lower(next);
      return { own: this.#rowsOf(next), ended: this.#endedIn(rows) };
    });
    this.#beat += 1;
    this.#shares.clear();
    for (const [id, share] of next) this.#shares.set(id, share);
    this.#byName = new Map(trunks().flatMap(({ id, name }) => (next.has(id) ? [[name, next.get(id)!]] : [])));
    this.#renewedAt = begun;
  }

  #nextShares(rows: readonly ProcessTrunkShareRow[], sizes: TrunkSizes): Map<number, TrunkCapacityShare> {
    const { process, clock, trunks, usageOf } = this.#options;
    this.#neighbours.hear(rows);
    const lives = ({ process: other }: ProcessTrunkShareRow): boolean => this.#neighbours.lives(other);
    const others = rows.filter((row) => row.process !== process && !this.#neighbours.isGone(row.process));
    const at = { now: clock.now(), wall: clock.wall() };
    return new Map(
      trunks().map(({ id, name }) => {
        const size = sizes.get(id) ?? ZERO_TRUNK_CAPACITY;
        const ofTrunk = others.filter((row) => row.trunk === id);
        const alive = ofTrunk.filter(lives);
        const left = sumOf(ofTrunk.filter((row) => !lives(row)).map((row) => this.#neighbours.leftBy(row)));
        const isOurs = rows.some((row) => row.trunk === id && row.process === process);
        const before = isOurs ? this.#before(id) : undefined;
        const rank = alive.filter((row) => row.waits && row.process < process).length;
        const around = { size, usage: usageOf(name), alive, left, rank, ...at };
        return [id, nextTrunkCapacityShare(before, around)];
      }),
    );
  }

  /** What this process has now. What lapsed less than a second ago still stands in its row. */
  #before(id: number): TrunkCapacityShare | undefined {
    const share = this.#shares.get(id);
    if (!share || !this.#isLapsed()) return share;
    const now = this.#options.clock.now();
    const lapsedAt = Math.min(now, this.#renewedAt.now + TRUNK_SHARE_VALID_MS);
    return now - lapsedAt < TRUNK_SHARE_HANDOVER_MS
      ? { ...share, usable: ZERO_TRUNK_CAPACITY, loweredAt: lapsedAt }
      : undefined;
  }

  #endedIn(rows: readonly ProcessTrunkShareRow[]): string[] {
    const names = new Set(rows.map(({ process }) => process));
    names.delete(this.#options.process);
    return [...names].filter((name) => this.#neighbours.isGone(name));
  }

  #rowsOf(next: ReadonlyMap<number, TrunkCapacityShare>): ProcessTrunkShareRow[] {
    const { process, trunks, usageOf } = this.#options;
    return trunks().flatMap(({ id, name }): ProcessTrunkShareRow[] => {
      const share = next.get(id);
      if (!share) return [];
      const { legs: held, waits } = usageOf(name);
      return [{ trunk: id, process, ...share.written, held, waits, beat: this.#beat + 1 }];
    });
  }

  /** What is less is so at once; what is more, once it is committed. */
  #lower(next: ReadonlyMap<number, TrunkCapacityShare>): void {
    for (const [id, { usable, loweredAt }] of next) {
      const share = this.#shares.get(id);
      if (share) Object.assign(share, { usable: minOfTrunkCapacities(usable, share.usable), loweredAt });
    }
  }

  /** Nothing new begins here; legs that go on keep their places until another process has adopted them. */
  #leave(): ProcessTrunkShareWrites {
    const { process, trunks, usageOf } = this.#options;
    const own = trunks().flatMap(({ id, name }): ProcessTrunkShareRow[] => {
      const { legs } = usageOf(name);
      const row = { trunk: id, process, callsPerSecond: 0, legs, held: legs, waits: false, beat: this.#beat };
      return legs > 0 ? [row] : [];
    });
    return { own, ended: [] };
  }
}

const sumOf = (left: readonly TrunkCapacity[]): TrunkCapacity => ({
  callsPerSecond: left.reduce((sum, { callsPerSecond }) => sum + callsPerSecond, 0),
  legs: left.reduce((sum, { legs }) => sum + legs, 0),
});
