/** The next share of a trunk, from what the others have, and from what this process does with its own. */
import { shareOf, type ShareRow } from '../../rules/trunks/shareOf.ts';
import type { Capacity } from '../clearance/capacityLimiter.ts';

/** What is given back of a rate is not used for so long before others may take it, milliseconds. */
const APART_MS = 1_100;
/** Nothing begun was seen for so long, by looks a second apart: then it was not used for longer than that already. */
const QUIET_MS = 1_500;
/** Where a trunk bears less than one for each who waits, they have it by turns so long, milliseconds. */
const TURN_MS = 20_000;

export const NOTHING: Capacity = { callsPerSecond: 0, legs: 0 };

export interface Share {
  usable: Capacity;
  /** As the row says: what is given back stands there for a while. */
  written: Capacity;
  /** When something of its rate was given back last. */
  loweredAt: number;
  /** When it was seen last that a leg had begun. */
  begunAt: number;
}

/** What this process does with a trunk now. */
export interface Usage {
  legs: number;
  /** Legs begun in the last second. */
  perSecond: number;
  /** Calls wait for it. */
  waits: boolean;
}

export interface Around {
  /** What the trunk bears. */
  size: Capacity;
  usage: Usage;
  /** Rows of living processes, and of dead ones that still count. */
  alive: readonly ShareRow[];
  dead: readonly ShareRow[];
  process: string;
  /** Milliseconds of a monotonic clock. */
  now: number;
  /** Epoch milliseconds. */
  wall: number;
}

/** `before`: undefined for a process that had none, or has lost it. */
export const nextShare = (before: Share | undefined, around: Around): Share => {
  const { usage, now } = around;
  const { usable, written, ...since } = before ?? NO_SHARE;
  const rate = rateOf(usable, around);
  const loweredAt = rate < usable.callsPerSecond ? now : since.loweredAt;
  const begunAt = usage.perSecond > 0 ? now : since.begunAt;
  const isApart = now - loweredAt >= APART_MS || now - begunAt >= QUIET_MS;
  const legs = legsOf(usable, around);
  return {
    ...{ usable: { callsPerSecond: rate, legs }, loweredAt, begunAt },
    written: {
      callsPerSecond: isApart ? rate : Math.max(rate, written.callsPerSecond),
      // Legs that go on keep their places until they end.
      legs: Math.max(legs, usage.legs),
    },
  };
};

const NO_SHARE: Share = {
  ...{ usable: NOTHING, written: NOTHING },
  ...{ loweredAt: -Infinity, begunAt: -Infinity },
};

const rateOf = ({ callsPerSecond: own }: Capacity, around: Around): number =>
  shareOf({
    ...{ limit: around.size.callsPerSecond, own, ...turnOf(around), left: 0 },
    needs: around.usage.waits ? Infinity : Math.ceil(around.usage.perSecond * 1.5),
    others: around.alive.map(({ callsPerSecond, waits }) => ({ units: callsPerSecond, waits })),
  });

/** Fewer than it has, where others wait: then none begins until enough of them have ended. */
const legsOf = ({ legs: own }: Capacity, around: Around): number =>
  shareOf({
    ...{ limit: around.size.legs, own, ...turnOf(around) },
    left: around.dead.reduce((sum, { held }) => sum + held, 0),
    needs: around.usage.waits ? Infinity : Math.ceil(around.usage.legs * 1.25),
    others: around.alive.map(({ legs, held, waits }) => ({ units: Math.max(legs, held), waits })),
  });

const turnOf = ({ process, alive, wall }: Around): { rank: number; turn: number } => ({
  rank: alive.filter((row) => row.waits && row.process < process).length,
  turn: Math.floor(wall / TURN_MS),
});

export const atMost = (one: Capacity, other: Capacity): Capacity => ({
  callsPerSecond: Math.min(one.callsPerSecond, other.callsPerSecond),
  legs: Math.min(one.legs, other.legs),
});
