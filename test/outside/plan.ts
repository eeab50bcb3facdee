/**
 * What is done to the service, and when: all of it from the seed, before anything begins.
 *
 * Faults of the service come one after the other, with time between them to get well, because what follows two at once
 * can be laid to neither. Faults of neighbours run beside them all the time. Both are dealt like cards: a fault comes
 * again only when all others of its track have been, so that every one of them is often enough there.
 */
import { type FaultName, faultNames, kindOf, type Track } from './catalogue.ts';
import { type Dice, diceOf } from './dice.ts';

export interface PlannedFault {
  fault: FaultName;
  /** Milliseconds from the beginning. */
  at: number;
  lastsMs: number;
  /** Which of the nodes it hits, where it hits one. */
  node: number;
  /** For what the fault itself leaves to chance. */
  seed: number;
}

export interface PlanOptions {
  seed: number;
  minutes: number;
  /** Faults that can be done here. Default: all. */
  faults?: readonly FaultName[];
  nodes?: number;
}

/** Quiet before the first fault, and after the last, milliseconds. */
const quietMs = 5_000;
/**
 * Between two faults of a track, milliseconds: from, to. A long run leaves time in which nothing is wrong, and in which
 * everything must be as usual; a short one has none to spare.
 */
const pausesOf = (minutes: number): Record<Track, readonly [number, number]> => ({
  service: minutes < 5 ? [3_000, 5_000] : [14_000, 20_000],
  neighbour: [200, 1_500],
});

/** In the order of their beginnings. */
export const makePlan = ({ seed, minutes, faults = faultNames, nodes = 2 }: PlanOptions): PlannedFault[] =>
  (['service', 'neighbour'] as const)
    .flatMap((track) => {
      const cards = faults.filter((name) => kindOf(name).track === track);
      return deal(
        cards,
        diceOf(seed, `plan of ${track}`),
        minutes * 60_000 - quietMs,
        pausesOf(minutes)[track],
        nodes,
      );
    })
    .toSorted((a, b) => a.at - b.at);

const deal = (
  cards: readonly FaultName[],
  dice: Dice,
  endMs: number,
  pause: readonly [number, number],
  nodes: number,
): PlannedFault[] => {
  const planned: PlannedFault[] = [];
  let at = quietMs;
  for (let deck: FaultName[] = []; cards.length > 0;) {
    if (deck.length === 0) deck = dice.shuffle(cards);
    const fault = deck.pop()!;
    const lastsMs = dice.between(...kindOf(fault).lasts);
    if (at + lastsMs > endMs) break;
    planned.push({ fault, at, lastsMs, node: dice.between(0, nodes - 1), seed: dice.between(0, 2 ** 31) });
    at += lastsMs + dice.between(...pause);
  }
  return planned;
};
