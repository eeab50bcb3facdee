/**
 * What this process may put on each trunk, so that all processes together put no more on it than it bears.
 *
 * Each process has a row for each trunk and renews it every second. It takes more only out of what no row has, and uses it
 * once that is committed. What it gives back it stops using a second before its row says so: within any second no two
 * processes use the same unit. A process whose rows were not renewed for long is dead to the others; it stops before, by
 * clocks of which one goes on while the machine sleeps. Its legs keep their places until they have been adopted.
 */
import type { Capacity } from '../clearance/capacityLimiter.ts';
import { type Exchange, shareOf, type ShareRow } from '../../rules/trunks/shareOf.ts';

export interface TrunkSize extends Capacity {
  id: number;
  name: string;
}

/** What this process does with a trunk now. */
export interface Usage {
  legs: number;
  /** Legs begun in the last second. */
  perSecond: number;
  /** Calls wait for it. */
  waits: boolean;
}

export interface SharesOptions {
  /** Names the process, unlike any other. */
  process: string;
  trunks(): readonly TrunkSize[];
  usageOf(trunk: string): Usage;
  /** Reads all rows and writes those of this process, in one transaction that no other overlaps. */
  exchange(decide: (rows: readonly ShareRow[]) => Exchange): Promise<void>;
  /** Whether a process has surely ended. */
  isProcessDead(process: string): boolean;
  /** `now`: milliseconds of a monotonic clock. `wall`: of the wall clock, which goes on while the machine sleeps. */
  clock: { now(): number; wall(): number; after(ms: number, run: () => void): () => void };
  log: { warn(fields: object, message: string): void; info(message: string): void };
}

export interface TrunkShares {
  /** What may be put on a trunk now; undefined: this process knows none of this name. */
  capacityOf(trunk: string): Capacity | undefined;
  /** Takes its first shares, and renews them from then on. Rejects when the database is away. */
  start(): Promise<void>;
  /** Gives its shares back. */
  stop(): Promise<void>;
  /** Renews now: a trunk was changed. */
  renew(): Promise<void>;
}

const ROUND_MS = 1_000;
/** Shares that were not renewed for so long are not used. */
const VALID_MS = 5_000;
/** Shares of others that were not renewed for so long are free. */
const DEAD_MS = 10_000;
/** Legs of a dead process are taken over by others within this time, or have ended. */
const LEFT_MS = 30_000;
/** What is given back is not used for so long before others may take it. */
const APART_MS = 1_100;

const NOTHING: Capacity = { callsPerSecond: 0, legs: 0 };
const units = ['callsPerSecond', 'legs'] as const;

interface Share {
  usable: Capacity;
  /** As the row says. */
  written: Capacity;
  /** When something was given back last. */
  loweredAt: number;
}

/** Begins with nothing. */
export const openShares = (options: SharesOptions): TrunkShares => {
  const { process, clock, log, exchange } = options;
  const shares = new Map<number, Share>();
  const heartbeats = new Map<string, { beat: number; at: number }>();
  let byName = new Map<string, Share>();
  /** When they were renewed last, by both clocks. */
  let renewedAt = { now: -Infinity, wall: -Infinity };
  let beat = 0;
  let isAway = false;
  let stopped = false;
  let running: Promise<void> | undefined;
  let callOff = (): void => {};

  const isLapsed = (): boolean =>
    clock.now() - renewedAt.now >= VALID_MS || clock.wall() - renewedAt.wall >= VALID_MS;

  const standingOf = (other: string): 'living' | 'dead' | 'gone' => {
    const { at } = heartbeats.get(other)!;
    const silentMs = clock.now() - at;
    if (silentMs >= DEAD_MS + LEFT_MS) return 'gone';
    return silentMs >= DEAD_MS || options.isProcessDead(other) ? 'dead' : 'living';
  };

  const hear = (rows: readonly ShareRow[]): void => {
    for (const row of rows) {
      const known = heartbeats.get(row.process);
      if (known?.beat !== row.beat) heartbeats.set(row.process, { beat: row.beat, at: clock.now() });
    }
    const there = new Set(rows.map((row) => row.process));
    for (const name of heartbeats.keys()) if (!there.has(name)) heartbeats.delete(name);
  };

  const decide = (rows: readonly ShareRow[]): Exchange & { next: Map<number, Share> } => {
    hear(rows);
    const others = rows.filter((row) => row.process !== process);
    const names = [...new Set(others.map((row) => row.process))];
    const living = names.filter((name) => standingOf(name) === 'living');
    const ended = names.filter((name) => standingOf(name) === 'gone');
    const rank = living.filter((name) => name < process).length;
    const next = new Map<number, Share>();
    const own = options.trunks().map((trunk): ShareRow => {
      const ofTrunk = others.filter((row) => row.trunk === trunk.id && !ended.includes(row.process));
      const isWritten = rows.some((row) => row.trunk === trunk.id && row.process === process);
      const share = nextShare(trunk, { others: ofTrunk, living, rank, isWritten });
      next.set(trunk.id, share);
      const { legs: held, waits } = options.usageOf(trunk.name);
      return { trunk: trunk.id, process, ...share.written, held, waits, beat: beat + 1 };
    });
    return { own, ended, next };
  };

  interface Around {
    others: readonly ShareRow[];
    living: readonly string[];
    rank: number;
    isWritten: boolean;
  }

  const nextShare = (trunk: TrunkSize, { others, living, rank, isWritten }: Around): Share => {
    const before = isWritten && !isLapsed() ? shares.get(trunk.id) : undefined;
    const { usable, written, loweredAt } = before ?? {
      ...{ usable: NOTHING, written: NOTHING, loweredAt: -Infinity },
    };
    const usage = options.usageOf(trunk.name);
    const alive = others.filter((row) => living.includes(row.process));
    const dead = others.filter((row) => !living.includes(row.process));
    const wanted = {
      callsPerSecond: shareOf({
        ...{ limit: trunk.callsPerSecond, own: usable.callsPerSecond, rank, left: 0 },
        needs: usage.waits ? Infinity : Math.ceil(usage.perSecond * 1.5) + 1,
        others: alive.map(({ callsPerSecond, waits }) => ({ units: callsPerSecond, waits })),
      }),
      legs: Math.max(
        usage.legs,
        shareOf({
          ...{ limit: trunk.legs, own: usable.legs, rank },
          left: dead.reduce((sum, { held }) => sum + held, 0),
          needs: usage.waits ? Infinity : Math.ceil(usage.legs * 1.25) + 1,
          others: alive.map(({ legs, held, waits }) => ({ units: Math.max(legs, held), waits })),
        }),
      ),
    };
    const isLower = units.some((unit) => wanted[unit] < usable[unit]);
    const lowered = isLower ? clock.now() : loweredAt;
    const isSettled = clock.now() - lowered >= APART_MS;
    return {
      usable: wanted,
      written: isSettled ? wanted : atLeast(wanted, written),
      loweredAt: lowered,
    };
  };

  /** Nothing new begins here; legs that go on keep their places until another process has adopted them. */
  const leave = (): Exchange => ({
    ended: [],
    own: options.trunks().flatMap(({ id, name }): ShareRow[] => {
      const { legs } = options.usageOf(name);
      const row = { trunk: id, process, callsPerSecond: 0, legs, held: legs, waits: false, beat };
      return legs > 0 ? [row] : [];
    }),
  });

  /** What is less is so at once; what is more, once it is committed. */
  const lower = (next: ReadonlyMap<number, Share>): void => {
    for (const [id, { usable, loweredAt }] of next) {
      const share = shares.get(id);
      if (share) Object.assign(share, { usable: atMost(usable, share.usable), loweredAt });
    }
  };

  const round = async (): Promise<void> => {
    const begun = { now: clock.now(), wall: clock.wall() };
    let next = new Map<number, Share>();
    await exchange((rows) => {
      const decided = decide(rows);
      next = decided.next;
      lower(next);
      return decided;
    });
    beat += 1;
    shares.clear();
    for (const [id, share] of next) shares.set(id, share);
    byName = new Map(
      options.trunks().flatMap(({ id, name }) => (next.has(id) ? [[name, next.get(id)!]] : [])),
    );
    renewedAt = begun;
  };

  const attempt = async (): Promise<void> => {
    try {
      await round();
      if (isAway) log.info('shares of trunks are renewed again');
      isAway = false;
    } catch (error) {
      if (!isAway)
        log.warn({ err: error }, 'shares of trunks cannot be renewed: after 5 s nothing new is dialled');
      isAway = true;
    }
  };

  const renew = async (): Promise<void> => {
    callOff();
    if (stopped) return;
    running ??= attempt().finally(() => {
      running = undefined;
      if (!stopped) callOff = clock.after(ROUND_MS, () => void renew());
    });
    await running;
  };

  return {
    capacityOf: (trunk) => {
      const share = byName.get(trunk);
      return share && (isLapsed() ? NOTHING : share.usable);
    },
    start: async () => {
      await round();
      callOff = clock.after(ROUND_MS, () => void renew());
    },
    stop: async () => {
      stopped = true;
      callOff();
      await running;
      renewedAt = { now: -Infinity, wall: -Infinity };
      await exchange(leave).catch((error: unknown) =>
        log.warn({ err: error }, 'shares of trunks are left behind'),
      );
    },
    renew,
  };
};

const atLeast = (one: Capacity, other: Capacity): Capacity => ({
  callsPerSecond: Math.max(one.callsPerSecond, other.callsPerSecond),
  legs: Math.max(one.legs, other.legs),
});

const atMost = (one: Capacity, other: Capacity): Capacity => ({
  callsPerSecond: Math.min(one.callsPerSecond, other.callsPerSecond),
  legs: Math.min(one.legs, other.legs),
});
