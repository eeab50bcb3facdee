/**
 * Which transitions explain a step. Steps that say what they took are believed. Of older ones the history names only the
 * states in which the machine rested: the questions passed in between are found again in the chart. What lies on every
 * possible way is known; the rest of the shortest way is a guess.
 *
 * Ways that pass one state twice within a step are not considered.
 */
import { withAncestors, type StatechartData, type StatechartTransition } from './statechartData.ts';
import { groupBy } from './groupBy.ts';

/** A step as a history tells it. */
export interface Step {
  /** The state before; '' of a machine's first step. */
  before: string;
  event: string;
  /** The state after. */
  after: string;
  /** Short ids of the transitions taken, where they were written down. */
  taken?: readonly number[];
}

export interface InferredTransitionPath {
  /** In order. Empty: the chart has no way from the one state to the other by this event. */
  transitions: readonly { id: number; certainty: 'known' | 'guessed' }[];
  /** States entered, in order: those of the passage, and where it came to rest. */
  states: readonly string[];
}

/** Ways looked at in one step; where there are more, all is a guess. */
const MOST_WAYS = 2_000;
/** Event of a machine's first step. */
const FIRST = 'started';

interface Way {
  at: string;
  taken: readonly StatechartTransition[];
  states: readonly string[];
}

/** Explains the steps of machines of one chart version. Answers are remembered. */
export const takenTransitionsFinder = (chart: StatechartData): ((step: Step) => InferredTransitionPath) => {
  const map = new ChartMap(chart);
  const known = new Map<string, InferredTransitionPath>();
  return (step) => {
    if (step.taken) return map.follow(step.before, step.taken, step.after);
    const key = `${step.before} ${step.event} ${step.after}`;
    const passage = known.get(key) ?? explain(map.waysBetween(step));
    // A chart has so many possible steps and no more; what it cannot have is not remembered.
    if (passage.transitions.length > 0) known.set(key, passage);
    return passage;
  };
};

const explain = (ways: readonly Way[]): InferredTransitionPath => {
  if (ways.length === 0) return { transitions: [], states: [] };
  const shortest = ways.reduce((best, way) => (way.taken.length < best.taken.length ? way : best));
  const isKnown = (transition: StatechartTransition): boolean =>
    ways.length < MOST_WAYS && ways.every(({ taken }) => taken.includes(transition));
  return {
    transitions: shortest.taken.map((one) => ({ id: one.id, certainty: isKnown(one) ? 'known' : 'guessed' })),
    states: shortest.states,
  };
};

class ChartMap {
  readonly #chart: StatechartData;
  readonly #leading: ReadonlyMap<string, readonly StatechartTransition[]>;
  readonly #initial: ReadonlyMap<string, string>;

  constructor(chart: StatechartData) {
    this.#chart = chart;
    this.#leading = groupBy(chart.transitions, ({ from }) => from);
    const initial = chart.states.filter(({ id, isInitial }) => isInitial && id !== '');
    this.#initial = new Map(initial.map(({ id, parent }) => [parent, id]));
  }

  /** What was written down, with the states that it leads through. */
  follow(before: string, taken: readonly number[], after: string): InferredTransitionPath {
    const transitions = taken.map((id) => this.#chart.transitions[id]!).filter((one) => one !== undefined);
    const first = before === '' ? [this.#innermost('')] : [];
    const entered = transitions.flatMap(({ to }) => (to === undefined ? [] : [this.#innermost(to)]));
    const states = [...first, ...entered];
    return {
      transitions: transitions.map(({ id }) => ({ id, certainty: 'known' })),
      states: (states.at(-1) ?? before) === after ? states : [...states, after],
    };
  }

  /** All ways of a step, at most `MOST_WAYS`. */
  waysBetween({ before, event, after }: Step): Way[] {
    const found: Way[] = [];
    const open = this.#beginnings(before, event).toReversed();
    while (open.length > 0 && found.length < MOST_WAYS) {
      const way = open.pop()!;
      const answers = this.#possible(way.at, '');
      const mayRest = !answers.some(({ guard }) => guard === '');
      if (way.at === after && mayRest) found.push(way);
      for (const answer of answers.toReversed()) {
        const next = this.#taking(way, answer);
        if (next && !way.states.includes(next.at)) open.push(next);
      }
    }
    return found;
  }

  #beginnings(before: string, event: string): Way[] {
    const first = this.#innermost('');
    if (before === '') return event === FIRST ? [{ at: first, taken: [], states: [first] }] : [];
    const nowhere: Way = { at: before, taken: [], states: [] };
    return this.#possible(before, event).map(
      (transition) => this.#taking(nowhere, transition) ?? { ...nowhere, taken: [transition] },
    );
  }

  /** The way with one more transition; undefined: it leaves no state. */
  #taking({ taken, states }: Way, transition: StatechartTransition): Way | undefined {
    if (transition.to === undefined) return undefined;
    const at = this.#innermost(transition.to);
    return { at, taken: [...taken, transition], states: [...states, at] };
  }

  /** Transitions that an event may take in a state: none that comes after one without a guard. */
  #possible(state: string, event: string): StatechartTransition[] {
    const all = withAncestors(state).flatMap((id) => {
      const own = this.#leading.get(id) ?? [];
      const any = event === '' ? [] : own.filter((one) => one.event === '*');
      return [...own.filter((one) => one.event === event), ...any];
    });
    const certain = all.findIndex(({ guard }) => guard === '');
    return certain < 0 ? all : all.slice(0, certain + 1);
  }

  #innermost(id: string): string {
    const child = this.#initial.get(id);
    return child === undefined ? id : this.#innermost(child);
  }
}
