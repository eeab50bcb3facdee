/**
 * How much of what a trunk bears a process may take, given what the others have: pure, in whole units. Who needs more takes
 * what is free; while others wait for their part, who has more than an even one, or more than it needs, gives back. Where
 * there is less than one unit for each, they take turns.
 */

/** What a process has of a trunk, as it stands in the database. */
export interface ProcessTrunkShareRow {
  /** Id of the trunk. */
  trunk: number;
  process: string;
  callsPerSecond: number;
  legs: number;
  /** Legs that it has there. */
  held: number;
  /** Calls wait for more. */
  waits: boolean;
  /** Rises with each renewal. */
  beat: number;
}

/** What trunks bear now, by id: those that there are. */
export type TrunkSizes = ReadonlyMap<number, { callsPerSecond: number; legs: number }>;

/** Decides what a process writes, having seen all rows, and what the trunks bear at that moment. */
export type DecideProcessTrunkShares = (
  rows: readonly ProcessTrunkShareRow[],
  sizes: TrunkSizes,
) => ProcessTrunkShareWrites;

/** What a process writes, having seen all rows. */
export interface ProcessTrunkShareWrites {
  own: readonly ProcessTrunkShareRow[];
  /** Processes that ended: their rows are deleted. */
  ended: readonly string[];
}

/** What another process has. */
export interface OtherProcessShare {
  units: number;
  /** Calls wait there for more. */
  waits: boolean;
}

export interface ProcessTrunkShareInput {
  /** What the trunk bears. */
  limit: number;
  /** What this process has now, and what it needs; infinite: as much as it can have. */
  own: number;
  needs: number;
  /** Of living processes. */
  others: readonly OtherProcessShare[];
  /** Of processes that ended and still count. */
  left: number;
  /** Place of this process among those that wait, from 0: the first ones have what does not divide evenly. */
  rank: number;
  /** Goes up by one with each turn: where there is less than one unit for each, the first place moves on with it. */
  turn: number;
}

/** What a process needs that does nothing: a unit for its next call. */
const FOR_THE_NEXT = 1;

/** What this process is to have from now on. More than `own` only out of what no process has. */
export const fairTrunkShare = (asked: ProcessTrunkShareInput): number => {
  const { limit, own, needs, others, left } = asked;
  const free = limit - left - own - others.reduce((sum, { units }) => sum + units, 0);
  if (others.length === 0 || free < 0) return Math.max(0, own + free);
  if (!others.some(({ waits }) => waits)) return Math.max(keptUnasked(asked), Math.min(needs, own + free));
  const { isScarce, part } = partOf(asked);
  // Its next call waits for a turn, as those do that wait now.
  if (isScarce && needs <= FOR_THE_NEXT) return 0;
  const kept = keptBeside(own, needs, part);
  return kept < own ? kept : Math.max(own, Math.min(needs, part, own + free));
};

/** What is kept while no other waits: an even part. More than is needed of it would count as used when this process dies. */
const keptUnasked = ({ limit, left, own, needs, others }: ProcessTrunkShareInput): number =>
  Math.min(own, Math.max(needs, Math.floor((limit - left) / (others.length + 1))));

/** An even part of what those leave who do not wait: for this process, and for each that waits. */
const partOf = ({
  limit,
  left,
  others,
  rank,
  turn,
}: ProcessTrunkShareInput): { isScarce: boolean; part: number } => {
  const waiting = others.filter(({ waits }) => waits).length;
  const used = others.reduce((sum, { units, waits }) => sum + (waits ? 0 : units), left);
  const all = Math.max(0, limit - used);
  const parts = waiting + 1;
  const isScarce = all < parts;
  const place = isScarce ? (rank + turn) % parts : rank;
  return { isScarce, part: Math.floor(all / parts) + (place < all % parts ? 1 : 0) };
};

/** Beside others that wait: an even part at the most, and less where less is needed, but a little for the next call. */
const keptBeside = (own: number, needs: number, even: number): number =>
  Math.min(own, Math.max(Math.min(needs, even), Math.min(even, Math.max(1, Math.floor(even / 4)))));
