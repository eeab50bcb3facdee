/** How the states of a chart lie in each other. */
import type { AnyStateNode, AnyTransitionDefinition, StateValue } from 'xstate';

/** The states that hold this one, the root last. */
export const ancestorStates = (node: AnyStateNode): AnyStateNode[] => ancestorStatesBetween(node, undefined);

/** The states between one and another that holds it, the inner first; up to the root where there is no other. */
export const ancestorStatesBetween = (
  node: AnyStateNode,
  outer: AnyStateNode | undefined,
): AnyStateNode[] => {
  const nodes: AnyStateNode[] = [];
  if (node === outer) return nodes;
  for (let one = node.parent; one && one !== outer; one = one.parent) nodes.push(one);
  return nodes;
};

/** The states that are entered with this one, the innermost last. */
export const initialDescendants = (node: AnyStateNode): AnyStateNode[] => {
  if (node.type !== 'compound') return [];
  const first = (node.initial.target as readonly AnyStateNode[])[0]!;
  return [first, ...initialDescendants(first)];
};

export const isStateNodeWithin = (node: AnyStateNode, outer: AnyStateNode | undefined): boolean =>
  outer === undefined || ancestorStates(node).includes(outer);

/** The innermost state that a transition does not leave; none: it leaves the root as well. */
export const transitionDomain = (
  { source, reenter }: AnyTransitionDefinition,
  goal: AnyStateNode,
): AnyStateNode | undefined => {
  if (!reenter && (goal === source || isStateNodeWithin(goal, source))) return source;
  const common = ancestorStates(goal).find((node) => isStateNodeWithin(source, node));
  return common ?? (reenter ? undefined : source.machine.root);
};

/** The state value of a place, from its path. */
export const stateValueOfPath = ([node, parent, ...outer]: readonly AnyStateNode[]): StateValue => {
  if (!parent) return {};
  let value: StateValue = node!.key;
  for (const { key } of [parent, ...outer].slice(0, -1)) value = { [key]: value };
  return value;
};

/** The state that a state value names. Throws for one that is not there. */
export const stateNodeAt = (node: AnyStateNode, value: StateValue | undefined): AnyStateNode => {
  if (value === undefined) return node;
  const key = typeof value === 'string' ? value : Object.keys(value)[0];
  if (key === undefined) return node;
  const child = (node.states as Record<string, AnyStateNode>)[key];
  if (!child) throw new Error(`state '${key}' does not exist on '${node.id}'`);
  return stateNodeAt(child, typeof value === 'string' ? undefined : value[key]);
};
