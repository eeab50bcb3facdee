/**
 * Short ids of a chart version's transitions: their places in the order in which the chart states them. A released
 * version is never edited, so its ids hold for good; they mean nothing in another version.
 */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';

/**
 * All transitions of a chart; a transition's id is its index. States come in the order of the chart, each before the
 * states inside it; of one state, the transitions that need no event come first.
 */
export const transitionsInOrder = (machine: AnyStateMachine): AnyTransitionDefinition[] =>
  statesInOrder(machine.root).flatMap((node) => [
    ...(node.always ?? []),
    ...[...node.transitions.values()].flat(),
  ]);

/** The short id of each transition of a chart. */
export const chartTransitionIds = (machine: AnyStateMachine): ReadonlyMap<AnyTransitionDefinition, number> =>
  new Map(transitionsInOrder(machine).map((transition, id) => [transition, id]));

/** A state and all states inside it, in the order of the chart. */
export const statesInOrder = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...(Object.values(node.states) as AnyStateNode[]).flatMap(statesInOrder),
];
