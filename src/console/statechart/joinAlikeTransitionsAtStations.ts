/**
 * Several states that answer an event alike (same guards, same targets) share one station for it: four states with
 * seven ways out each are 4 + 7 lines and not 28.
 */
import { groupBy } from './groupBy.ts';
import type { Hop } from './hop.ts';

interface SharedAnswers {
  id: string;
  event: string;
  /** The state that it stands below: the one that most of it comes from. */
  after: string;
}

/** Fewer targets are not worth a station of their own. */
const LEAST_TARGETS = 3;

/** The shared stations of a level, and its hops led through them. */
export const joinAlikeTransitionsAtStations = (
  level: string,
  hops: readonly Hop[],
): { stations: SharedAnswers[]; hops: Hop[] } => {
  const stations: SharedAnswers[] = [];
  const through = new Map<Hop, string>();
  for (const [event, groups] of alikeByEvent(hops)) {
    if (new Set(groups.map(([hop]) => hop!.to)).size < LEAST_TARGETS) continue;
    const id = `answers:${level}:${event}`;
    stations.push({ id, event, after: mostFrequent(groups.flat().map(({ from }) => from)) });
    for (const hop of groups.flat()) through.set(hop, id);
  }
  return { stations, hops: hops.flatMap((hop) => led(hop, through.get(hop))) };
};

const led = (hop: Hop, station: string | undefined): Hop[] =>
  station === undefined
    ? [hop]
    : [
        { ...hop, to: station },
        { ...hop, from: station },
      ];

/** Hops of several states with the same event, guard and target, in groups, by event. */
const alikeByEvent = (hops: readonly Hop[]): Map<string, Hop[][]> => {
  const shareable = hops.filter(
    ({ transition, from, to }) => transition.label !== '' && from !== to && !from.startsWith('enter:'),
  );
  const alike = groupBy(shareable, ({ transition, to }) => `${transition.label}|${transition.guard}|${to}`);
  const groups = [...alike.values()].filter((group) => new Set(group.map(({ from }) => from)).size > 1);
  return groupBy(groups, ([hop]) => hop!.transition.label);
};

const mostFrequent = (words: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]![0];
};
