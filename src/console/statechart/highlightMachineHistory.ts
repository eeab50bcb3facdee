/** A machine's way through its chart: the passage of each entry of its history, and what is lit at any of them. */
import type { StatechartData } from './statechartData.ts';
import type { ChartHighlights } from './highlightClasses.ts';
import { takenTransitionsFinder, type InferredTransitionPath } from './inferTransitionPath.ts';

/** An entry of a history, as far as it is read here. */
export interface MachineHistoryStep {
  event: string;
  /** The state after it. */
  state: string;
  /** What it asked for; of one that failed, the reason as `failed: …`. */
  asked: readonly string[];
  /** Short ids of the transitions taken; empty: none were, or it is not known. */
  taken: readonly number[];
}

/** An entry with the passage that explains it. */
export interface HistoryEntryTransitions extends InferredTransitionPath {
  state: string;
}

/** Explains entries one by one: `before` is the state before the entry, '' of the first. */
export const historyEntryPathFinder = (
  chart: StatechartData,
): ((entry: MachineHistoryStep, before: string) => HistoryEntryTransitions) => {
  const explain = takenTransitionsFinder(chart);
  return ({ event, state, asked, taken }, before) => {
    // What failed was undone: the machine went nowhere.
    if (asked[0]?.startsWith('failed:')) return { state, transitions: [], states: [] };
    return { state, ...explain({ before, event, after: state, ...(taken.length > 0 && { taken }) }) };
  };
};

/** The legs of a history that begins with the machine's first step, or in `before`. One an entry. */
export const findMachineHistoryPaths = (
  chart: StatechartData,
  entries: readonly MachineHistoryStep[],
  before = '',
): HistoryEntryTransitions[] => {
  const read = historyEntryPathFinder(chart);
  return entries.map((entry, index) => read(entry, entries[index - 1]?.state ?? before));
};

/** What is lit after the first `count` legs. */
export const chartHighlightsAfter = (
  legs: readonly HistoryEntryTransitions[],
  count: number,
): ChartHighlights => {
  const passed = legs.slice(0, count);
  const taken = new Map<number, 'known' | 'guessed'>();
  for (const { transitions } of passed)
    for (const { id, certainty } of transitions) if (taken.get(id) !== 'known') taken.set(id, certainty);
  const active = passed.at(-1)?.state;
  return {
    ...(active !== undefined && { active }),
    entered: new Set(passed.flatMap(({ state, states }) => [...states, state])),
    taken,
  };
};
