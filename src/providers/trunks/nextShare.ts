/** The next share of a trunk, from what the others have, and from what this process does with its own. */
import { shareOf, type ShareRow } from '../../rules/trunks/shareOf.ts';
import type { Capacity } from '../clearance/capacityLimiter.ts';

/** A turn lasts so long, milliseconds: of each a second or two is lost while the unit changes hands. */
const TURN_MS = 30_000;
/** What is given back is not used for so long before others may take it, milliseconds. */
const APART_MS = 1_100;

export const NOTHING: Capacity = { callsPerSecond: 0, legs: 0 };

export interface Share {
  usable: Capacity;
  /** As the row says: what is given back stands there for a while. */
  written: Capacity;
  /** When something was given back last. */
  loweredAt: number;
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
  /** Place of this process among those that wait. */
  rank: number;
  now: number;
  /** The wall clock, which all processes share more or less. */
  wall: number;
}

/** `before`: undefined for a process that had none, or has lost it. */
export const nextShare = (before: Share | undefined, around: Around): Share => {
  const { usable, written, loweredAt } = before ?? {
    ...{ usable: NOTHING, written: NOTHING },
    loweredAt: -Infinity,
  };
  const wanted = { callsPerSecond: rateOf(usable, around), legs: legsOf(usable, around) };
  const isLower = wanted.callsPerSecond < usable.callsPerSecond || wanted.legs < usable.legs;
  const lowered = isLower ? around.now : loweredAt;
  const isApart = around.now - lowered >= APART_MS;
  return { usable: wanted, written: isApart ? wanted : atLeast(wanted, written), loweredAt: lowered };
};

const turnAt = (wall: number): number => Math.floor(wall / TURN_MS);

const rateOf = ({ callsPerSecond: own }: Capacity, { size, usage, alive, rank, wall }: Around): number =>
  shareOf({
    ...{ limit: size.callsPerSecond, own, rank, left: 0, turn: turnAt(wall) },
    needs: usage.waits ? Infinity : Math.ceil(usage.perSecond * 1.5) + 1,
    others: alive.map(({ callsPerSecond, waits }) => ({ units: callsPerSecond, waits })),
  });

/** Never fewer than it has. */
const legsOf = ({ legs: own }: Capacity, { size, usage, alive, dead, rank, wall }: Around): number => {
  const share = shareOf({
    ...{ limit: size.legs, own, rank, turn: turnAt(wall) },
    left: dead.reduce((sum, { held }) => sum + held, 0),
    needs: usage.waits ? Infinity : Math.ceil(usage.legs * 1.25) + 1,
    others: alive.map(({ legs, held, waits }) => ({ units: Math.max(legs, held), waits })),
  });
  return Math.max(usage.legs, share);
};

const atLeast = (one: Capacity, other: Capacity): Capacity => ({
  callsPerSecond: Math.max(one.callsPerSecond, other.callsPerSecond),
  legs: Math.max(one.legs, other.legs),
});

export const atMost = (one: Capacity, other: Capacity): Capacity => ({
  callsPerSecond: Math.min(one.callsPerSecond, other.callsPerSecond),
  legs: Math.min(one.legs, other.legs),
});
