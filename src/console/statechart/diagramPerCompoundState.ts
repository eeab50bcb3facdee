/**
 * What the drawing shows of a chart, a level at a time: the chart itself and every state that holds others is a level,
 * with its states as stations and one line for all transitions between the same two.
 */
import { englishChartWords } from './translatableChartWords.ts';
import type { StatechartData, StatechartState, StatechartTransition } from './statechartData.ts';
import { groupBy } from './groupBy.ts';
import type { Hop } from './hop.ts';
import {
  eventsLeadingToDifferentStates,
  transitionLabel,
  type SeveralTargetsPredicate,
} from './transitionLabels.ts';
import { joinAlikeTransitionsAtStations } from './joinAlikeTransitionsAtStations.ts';

/**
 * What a station stands for. `enter`, `exit`: states outside the level. `answers`: an event that several states answer
 * alike; only the drawing knows of it.
 */
export type ChartNodeKind = StatechartState['kind'] | 'enter' | 'exit' | 'answers';

export interface ChartNodeModel {
  /** The state's id; `enter:…`, `exit:…` and `answers:…` for the other kinds. Unique within its level. */
  id: string;
  name: string;
  kind: ChartNodeKind;
  /** It holds other states: it can be unfolded. */
  isCompound: boolean;
  isInitial: boolean;
}

/** Transitions between the same two stations; from and to the same one: those that stay there. */
export interface TransitionLineModel {
  from: string;
  to: string;
  label: string;
  /** Ids of its transitions. */
  transitions: readonly number[];
  /** All of them tell of a failure, a timeout, or an early end. */
  isTrouble: boolean;
}

export interface ChartLevelModel {
  /** Id of the state whose inside it is; of the chart itself ''. */
  id: string;
  /** In the order of the chart. */
  stations: readonly ChartNodeModel[];
  lines: readonly TransitionLineModel[];
}

/** All levels, outer ones before those inside them. What the chart hears in every state is on none (`rootTransitions`). */
export const chartNestingLevels = (chart: StatechartData): ChartLevelModel[] => {
  const isForked = eventsLeadingToDifferentStates(chart.transitions);
  return chart.states
    .filter(({ children }) => children.length > 0)
    .map((level) => levelOf(chart, level, isForked));
};

/** Transitions of the chart itself: heard in every state that does not answer their event. */
export const rootTransitions = ({ transitions }: StatechartData): StatechartTransition[] =>
  transitions.filter(({ from }) => from === '');

const levelOf = (
  chart: StatechartData,
  level: StatechartState,
  isForked: SeveralTargetsPredicate,
): ChartLevelModel => {
  const hops = chart.transitions.flatMap((transition) => hopOf(level, transition));
  const { stations: answers, hops: shared } = joinAlikeTransitionsAtStations(level.id, hops);
  const states = level.children.map((id) => stationOf(chart.states.find((state) => state.id === id)!));
  const outside = [...new Set(hops.flatMap(({ from, to }) => [from, to]))];
  return {
    id: level.id,
    stations: [
      ...outside
        .filter((id) => id.startsWith('enter:'))
        .map((id) => signpost(id, 'enter', englishChartWords.fromOutside)),
      ...states.flatMap((state) => [
        state,
        ...answers
          .filter(({ after }) => after === state.id)
          .map(({ id, event }) => signpost(id, 'answers', event)),
      ]),
      ...outside
        .filter((id) => id.startsWith('exit:'))
        .map((id) => signpost(id, 'exit', id.split(/[.:]/).at(-1)!)),
    ],
    lines: bundle(shared).map((hops) => lineOf(hops, isForked)),
  };
};

const stationOf = ({ id, name, kind, children, isInitial }: StatechartState): ChartNodeModel => ({
  id,
  name,
  kind,
  isCompound: children.length > 0,
  isInitial,
});

const signpost = (id: string, kind: ChartNodeKind, name: string): ChartNodeModel => ({
  id,
  name,
  kind,
  isCompound: false,
  isInitial: false,
});

/** At most one; none: the level shows nothing of the transition. */
const hopOf = (level: StatechartState, transition: StatechartTransition): Hop[] => {
  if (transition.from === '' || isDeafness(transition)) return [];
  const from = stationHolding(level, transition.from);
  const to = transition.to === undefined ? undefined : stationHolding(level, transition.to);
  if (from === undefined)
    return to === undefined || level.id === '' ? [] : [{ transition, from: `enter:${level.id}`, to }];
  // What happens inside a station is drawn on the station's own level.
  const isOwn = from === transition.from;
  if (transition.to === undefined || from === to) return isOwn ? [{ transition, from, to: from }] : [];
  return [{ transition, from, to: to ?? `exit:${outermost(level.id, transition.to)}` }];
};

/** "Nothing is heard here", which final states say: no way out, and nothing to draw. */
const isDeafness = ({ event, to }: StatechartTransition): boolean => event === '*' && to === undefined;

/** The state directly inside the level that is `id` or holds it; undefined: `id` lies outside. */
const stationHolding = ({ id: level }: StatechartState, id: string): string | undefined => {
  const begin = level === '' ? 0 : level.length + 1;
  if (id.length <= begin || (level !== '' && !id.startsWith(`${level}.`))) return undefined;
  const end = id.indexOf('.', begin);
  return end < 0 ? id : id.slice(0, end);
};

/** The outermost state around `id` that the level does not lie in. */
const outermost = (level: string, id: string): string => {
  const around = level.split('.');
  const parts = id.split('.');
  const apart = parts.findIndex((part, index) => part !== around[index]);
  return parts.slice(0, apart + 1).join('.');
};

const bundle = (hops: readonly Hop[]): Hop[][] => [
  ...groupBy(hops, ({ from, to }) => `${from}>${to}`).values(),
];

const lineOf = (hops: readonly Hop[], isForked: SeveralTargetsPredicate): TransitionLineModel => ({
  from: hops[0]!.from,
  to: hops[0]!.to,
  label: transitionLabel(hops, isForked),
  transitions: [...new Set(hops.map(({ transition }) => transition.id))],
  isTrouble: hops.every(({ transition }) => TROUBLE.test(transition.label)),
});

const TROUBLE = /Failed$|Unknown$|[rR]efused$|^after|^cancel$|^hungUp$|^unavailable$/;
