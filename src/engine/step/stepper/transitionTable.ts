/**
 * The map of a chart whose states never stand beside each other: such a machine is always at one place, an innermost
 * state. From each place ways lead on, one a transition of the state or of one that holds it. What a way leaves, does
 * and enters is worked out when it is first looked at, by the rules of SCXML as XState reads them.
 */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition, StateValue } from 'xstate';
import type { XStateAction } from './performActions.ts';
import type { ChartGuardDefinition } from './evaluateGuard.ts';
import { chartTransitionIds } from '../../contract/transitionIds.ts';
import {
  ancestorStates,
  ancestorStatesBetween,
  transitionDomain,
  initialDescendants,
  isStateNodeWithin,
  stateNodeAt,
  stateValueOfPath,
} from './stateHierarchy.ts';

/** One transition, taken from one place. */
export interface CompiledTransition {
  /** Its short id; -1 of the beginning, which is no transition of the chart. */
  id: number;
  /** Undefined: always open. */
  guard: ChartGuardDefinition | undefined;
  /** Its event and its state, for messages. */
  name: string;
  /** Everything it does, in order: of the states it leaves, its own, of those it enters. */
  actions: readonly XStateAction[];
  to: CompiledChartState;
  /** It enters a final state: the event that tells the state around it. */
  finished: string | null;
}

/** Stands for the types of events that no state knows by name. */
const ANY = '*';

export class CompiledChartState {
  readonly value: StateValue;
  readonly tags: ReadonlySet<string>;
  /** A final state of the chart itself. */
  readonly isEnd: boolean;
  /** What is done on leaving the place and everything around it. */
  readonly exit: readonly XStateAction[];
  /** The states that it lies in: the innermost first, the chart's root last. */
  readonly path: readonly AnyStateNode[];
  readonly #on = new Map<string, readonly CompiledTransition[]>();
  readonly #wayOf: (transition: AnyTransitionDefinition) => CompiledTransition;
  #always: readonly CompiledTransition[] | null = null;

  constructor(
    node: AnyStateNode,
    wayOf: (from: CompiledChartState, transition: AnyTransitionDefinition) => CompiledTransition,
  ) {
    this.#wayOf = (transition) => wayOf(this, transition);
    this.path = [node, ...ancestorStates(node)];
    this.value = stateValueOfPath(this.path);
    this.tags = new Set(this.path.flatMap(({ tags }) => tags));
    this.isEnd = node.type === 'final' && this.path.length === 2;
    this.exit = this.path.flatMap(({ exit }) => exit);
  }

  /** Ways that an event of this type may take, the innermost state's first. */
  on(type: string): readonly CompiledTransition[] {
    return this.#on.get(type) ?? this.#find(type);
  }

  /** Ways that need no event. */
  get always(): readonly CompiledTransition[] {
    return (this.#always ??= this.path.flatMap((node) => node.always ?? []).map(this.#wayOf));
  }

  #find(type: string): readonly CompiledTransition[] {
    // An event may have any name: all that no state here handles share one entry.
    const key = this.path.some(({ transitions }) => transitions.has(type)) ? type : ANY;
    let ways = this.#on.get(key);
    if (!ways) {
      ways = this.path.flatMap((node) => transitionsOf(node, key)).map(this.#wayOf);
      this.#on.set(key, ways);
    }
    return ways;
  }
}

export class TransitionTable {
  /** From nowhere to the first place. */
  readonly start: CompiledTransition;
  readonly #root: AnyStateNode;
  readonly #places = new Map<AnyStateNode, CompiledChartState>();
  readonly #ids: ReadonlyMap<AnyTransitionDefinition, number>;

  /** Of a machine that `hasNoParallelStates`. */
  constructor(machine: AnyStateMachine) {
    const { root } = machine;
    this.#root = root;
    this.#ids = chartTransitionIds(machine);
    const first = initialDescendants(root).at(-1) ?? root;
    this.start = {
      id: -1,
      guard: undefined,
      name: 'the beginning',
      actions: [root, ...initialDescendants(root)].flatMap(enteredByDefault),
      to: this.#place(first),
      finished: finishedBy(first),
    };
  }

  /** The place that a state value names, or leads to. Throws for a state that is not there. */
  at(value: StateValue): CompiledChartState {
    const node = stateNodeAt(this.#root, value);
    return this.#place(initialDescendants(node).at(-1) ?? node);
  }

  #place(node: AnyStateNode): CompiledChartState {
    let place = this.#places.get(node);
    if (!place) {
      place = new CompiledChartState(node, (from, transition) => this.#way(from, transition));
      this.#places.set(node, place);
    }
    return place;
  }

  #way(from: CompiledChartState, transition: AnyTransitionDefinition): CompiledTransition {
    const { source, eventType, actions, target, reenter } = transition;
    const id = this.#ids.get(transition)!;
    const guard = transition.guard as ChartGuardDefinition | undefined;
    const name = `'${String(eventType)}' of '${source.id}'`;
    if (!target?.length) return { id, guard, name, actions, to: from, finished: null };
    const goal = target[0]!;
    const domain = transitionDomain(transition, goal);
    const left = from.path.filter((node) => isStateNodeWithin(node, domain));
    const outer = ancestorStatesBetween(goal, domain).toReversed();
    // An internal self-transition re-enters only the descendants of its target.
    const inner =
      goal === source && !reenter ? initialDescendants(goal) : [goal, ...initialDescendants(goal)];
    const last = inner.at(-1);
    return {
      id,
      guard,
      name,
      actions: [
        ...left.flatMap(({ exit }) => exit),
        ...actions,
        ...outer.flatMap(({ entry }) => entry),
        ...inner.flatMap(enteredByDefault),
      ],
      to: last ? this.#place(last) : from,
      finished: last ? finishedBy(last) : null,
    };
  }
}

/** Whether a chart is always at one place: no states beside each other, none remembered, none that run anything. */
export const hasNoParallelStates = ({ root }: AnyStateMachine): boolean => isPlain(root);

const isPlain = (node: AnyStateNode): boolean =>
  node.type !== 'parallel' &&
  node.type !== 'history' &&
  node.invoke.length === 0 &&
  node.output === undefined &&
  [...node.transitions.keys()].every((type) => type === ANY || !type.endsWith('.*')) &&
  [...node.transitions.values(), node.always ?? []].flat().every(({ target = [] }) => target.length <= 1) &&
  Object.values(node.states as Record<string, AnyStateNode>).every(isPlain);

const transitionsOf = ({ transitions }: AnyStateNode, type: string): readonly AnyTransitionDefinition[] => {
  const named = transitions.get(type) ?? [];
  return type === ANY ? named : [...named, ...(transitions.get(ANY) ?? [])];
};

const enteredByDefault = ({ entry, initial }: AnyStateNode): readonly XStateAction[] => [
  ...entry,
  ...initial.actions,
];

const finishedBy = ({ type, parent }: AnyStateNode): string | null =>
  type === 'final' && parent ? `xstate.done.state.${parent.id}` : null;
