/**
 * What is done to the service, and when: all of it from the seed, before anything begins.
 *
 * Faults of the service come one after the other, with time between them to get well, because what follows two at once
 * can be laid to neither. Faults of neighbours run beside them all the time. Both are dealt like cards: a fault comes
 * again only when all others of its track have been, so that every one of them is often enough there.
 */
import { type FaultName, faultNames, kindOf, leastOf, type Track } from './catalogue.ts';
import { type Dice, diceOf } from './dice.ts';

export interface PlannedFault {
  fault: FaultName;
  /** Milliseconds from the beginning. */
  at: number;
  lastsMs: number;
  /** So long before that it is prepared. */
  preparesMs: number;
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
  service: isShort(minutes) ? [3_000, 5_000] : [14_000, 20_000],
  neighbour: [200, 1_500],
});

/** A run of fewer minutes has time for some of the faults, and prepares as shortly as may be. */
const isShort = (minutes: number): boolean => minutes < 5;

/**
 * Which of the faults a run has time for, each as often as it must be done: all of those of neighbours, one promotion, and
 * as many of the others as fit, which ones by the seed.
 */
export const choose = ({ seed, minutes, faults = faultNames, ...more }: PlanOptions): FaultName[] => {
  const ofService = diceOf(seed, 'choice').shuffle(faults.filter((name) => kindOf(name).track === 'service'));
  const chosen = new Set(faults.filter((name) => kindOf(name).track === 'neighbour'));
  const isTime = (wanted: ReadonlySet<FaultName>): boolean => {
    const plan = makePlan({ seed, minutes, faults: faults.filter((name) => wanted.has(name)), ...more });
    return [...wanted].every((name) => plan.filter(({ fault }) => fault === name).length >= leastOf(minutes));
  };
  const first = ofService.find((name) => kindOf(name).promotes) ?? ofService[0];
  if (first) chosen.add(first);
  for (const name of ofService) if (isTime(new Set([...chosen, name]))) chosen.add(name);
  return faults.filter((name) => chosen.has(name));
};

/** In the order of their beginnings. */
export const makePlan = ({ seed, minutes, faults = faultNames, nodes = 3 }: PlanOptions): PlannedFault[] =>
  (['service', 'neighbour'] as const)
    .flatMap((track) => {
      const cards = faults.filter((name) => kindOf(name).track === track);
      return deal(cards, diceOf(seed, `plan of ${track}`), minutes * 60_000 - quietMs, minutes, nodes);
    })
    .toSorted((a, b) => a.at - b.at);

const deal = (
  cards: readonly FaultName[],
  dice: Dice,
  endMs: number,
  minutes: number,
  nodes: number,
): PlannedFault[] => {
  const pause = pausesOf(minutes);
  const planned: PlannedFault[] = [];
  let at = quietMs;
  for (let deck: FaultName[] = []; cards.length > 0;) {
    if (deck.length === 0) deck = dice.shuffle(cards);
    const fault = deck.pop()!;
    const { track, lasts, prepares = [0, 0] } = kindOf(fault);
    const lastsMs = dice.between(...lasts);
    const preparesMs = isShort(minutes) ? prepares[0] : dice.between(...prepares);
    at += preparesMs;
    if (at + lastsMs > endMs) break;
    const by = { node: dice.between(0, nodes - 1), seed: dice.between(0, 2 ** 31) };
    planned.push({ fault, at, lastsMs, preparesMs, ...by });
    at += lastsMs + dice.between(...pause[track]);
  }
  return planned;
};
