/** The next share of a trunk, from what the others have, and from what this process does with its own. */
import { fairTrunkShare, type ProcessTrunkShareRow } from '../../rules/trunks/trunkShareOfProcess.ts';
import type { TrunkCapacity } from '../dialClearance/capacityLimiter.ts';
import { TRUNK_SHARE_HANDOVER_MS } from './peerProcessLiveness.ts';

/** A turn lasts so long, milliseconds: of each a second or two is lost while the unit changes hands. */
const TURN_MS = 30_000;

export const ZERO_TRUNK_CAPACITY: TrunkCapacity = { callsPerSecond: 0, legs: 0 };

export interface TrunkCapacityShare {
  usable: TrunkCapacity;
  /** As the row says: a rate that is given back stands there for a while, and legs that go on do. */
  written: TrunkCapacity;
  /** When some of its rate was given back last. */
  loweredAt: number;
}

/** What this process does with a trunk now. */
export interface ProcessTrunkUsage {
  legs: number;
  /** Legs begun in the last second. */
  perSecond: number;
  /** Calls wait for it. */
  waits: boolean;
}

export interface NextShareConditions {
  /** What the trunk bears. */
  size: TrunkCapacity;
  usage: ProcessTrunkUsage;
  /** Rows of living processes. */
  alive: readonly ProcessTrunkShareRow[];
  /** What counts of dead ones. */
  left: TrunkCapacity;
  /** Place of this process among those that wait. */
  rank: number;
  now: number;
  /** The wall clock, which all processes share more or less. */
  wall: number;
}

const NO_SHARE: TrunkCapacityShare = {
  usable: ZERO_TRUNK_CAPACITY,
  written: ZERO_TRUNK_CAPACITY,
  loweredAt: -Infinity,
};

/** `before`: undefined for a process that had none, or has lost it. */
export const nextTrunkCapacityShare = (
  before: TrunkCapacityShare | undefined,
  around: NextShareConditions,
): TrunkCapacityShare => {
  const { usable: had, written, loweredAt } = before ?? NO_SHARE;
  const usable = { callsPerSecond: rateOf(had, around), legs: legsOf(had, around) };
  const lowered = usable.callsPerSecond < had.callsPerSecond ? around.now : loweredAt;
  const isApart = around.now - lowered >= TRUNK_SHARE_HANDOVER_MS;
  return {
    ...{ usable, loweredAt: lowered },
    written: {
      callsPerSecond: isApart
        ? usable.callsPerSecond
        : Math.max(usable.callsPerSecond, written.callsPerSecond),
      // Legs that go on keep their places until they end.
      legs: Math.max(usable.legs, around.usage.legs),
    },
  };
};

const turnAt = (wall: number): number => Math.floor(wall / TURN_MS);

const rateOf = (
  { callsPerSecond: own }: TrunkCapacity,
  { size, usage, alive, left, rank, wall }: NextShareConditions,
): number =>
  fairTrunkShare({
    ...{ limit: size.callsPerSecond, own, rank, left: left.callsPerSecond, turn: turnAt(wall) },
    needs: usage.waits ? Infinity : Math.ceil(usage.perSecond * 1.5) + 1,
    others: alive.map(({ callsPerSecond, waits }) => ({ units: callsPerSecond, waits })),
  });

/** Where others wait, fewer than it has: then none begins here until enough of them have ended. */
const legsOf = (
  { legs: own }: TrunkCapacity,
  { size, usage, alive, left, rank, wall }: NextShareConditions,
): number =>
  fairTrunkShare({
    ...{ limit: size.legs, own: Math.max(own, usage.legs), rank, left: left.legs, turn: turnAt(wall) },
    needs: usage.waits ? Infinity : Math.ceil(usage.legs * 1.25) + 1,
    others: alive.map(({ legs, held, waits }) => ({ units: Math.max(legs, held), waits })),
  });

export const minOfTrunkCapacities = (one: TrunkCapacity, other: TrunkCapacity): TrunkCapacity => ({
  callsPerSecond: Math.min(one.callsPerSecond, other.callsPerSecond),
  legs: Math.min(one.legs, other.legs),
});
