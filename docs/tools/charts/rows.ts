/** A chart as a timetable: one row a state, and under it one row for every way out. */
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { toDirectedGraph, type DirectedGraphNode } from 'xstate/graph';

export interface StateRow {
  what: 'state';
  id: string;
  name: string;
  depth: number;
  /** Where its parent begins. */
  isInitial: boolean;
  /** Entered and left in the same step. */
  isQuestion: boolean;
  isFinal: boolean;
  /** What is asked for on entry. */
  effects: string[];
}

export interface WayOutRow {
  what: 'wayOut';
  depth: number;
  from: string;
  /** The target's id; empty when the state is not left. */
  to: string;
  /** `answered`, `after ringGuard`, or empty for a question's answer. */
  on: string;
  guard: string;
  effects: string[];
}

export type Row = StateRow | WayOutRow;

/** All rows of a chart, in the order of its states. */
export const rowsOf = (machine: AnyStateMachine): Row[] => rowsOfNode(toDirectedGraph(machine), 0);

const rowsOfNode = (node: DirectedGraphNode, depth: number): Row[] => [
  stateRow(node, depth),
  ...(node.stateNode.always ?? []).flatMap((answer) => wayOut(node.stateNode, answer, depth)),
  ...node.edges.flatMap(({ transition }) => wayOut(node.stateNode, transition, depth)),
  ...node.children.flatMap((child) => rowsOfNode(child, depth + 1)),
];

const stateRow = ({ stateNode }: DirectedGraphNode, depth: number): StateRow => ({
  what: 'state',
  id: stateNode.id,
  name: stateNode.key,
  depth,
  isInitial: stateNode.parent?.config.initial === stateNode.key,
  isQuestion: isQuestion(stateNode),
  isFinal: stateNode.type === 'final',
  effects: effectsOf(stateNode.entry),
});

const isQuestion = (node: AnyStateNode): boolean =>
  node.always !== undefined && node.always.some(({ guard }) => guard === undefined);

type Transition = DirectedGraphNode['edges'][number]['transition'];

const wayOut = (from: AnyStateNode, transition: Transition, depth: number): WayOutRow[] => {
  const [target] = transition.target ?? [];
  // "Nothing is heard here" is no way out.
  if (transition.eventType === '*') return [];
  return [
    {
      what: 'wayOut',
      depth,
      from: from.id,
      to: target && (target !== from || transition.reenter) ? target.id : '',
      on: eventName(transition.eventType),
      guard: guardName(transition.guard),
      effects: effectsOf(transition.actions),
    },
  ];
};

const eventName = (type: string): string => {
  const after = /^xstate\.after\.(\w+)\./.exec(type);
  return after ? `after ${after[1]}` : type;
};

const guardName = (guard: unknown): string => {
  if (guard === undefined) return '';
  if (typeof guard === 'string') return guard;
  const { type, params } = guard as { type: string; params?: unknown };
  return params === undefined ? type : `${type} ${JSON.stringify(params).replaceAll('"', '')}`;
};

/** Requests to the world; notes are the chart's own business. */
const effectsOf = (actions: readonly unknown[]): string[] =>
  actions
    .map((action) => (typeof action === 'string' ? action : String((action as { type?: unknown }).type)))
    .filter((name) => !name.startsWith('note') && !name.startsWith('xstate.'));
