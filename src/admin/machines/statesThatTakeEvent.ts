/** In which states of its chart a machine takes an event: outside of them the event changes nothing. */
import type { Kind } from '../../engine/contract/kind.ts';
import { statesInOrder } from '../../engine/contract/transitionIds.ts';

type Chart = Kind['versions'][number];
type StateNode = Chart['root'];

/** Names of states in which a machine can rest, as `state` of a machine has them. Guards are taken to hold. */
export const statesThatTakeEvent = (chart: Chart, event: string): string[] =>
  statesInOrder(chart.root)
    .filter((node) => node.type === 'atomic' && takesEvent(node, event))
    .map(({ path }) => path.join('.'));

/** The innermost state that names the event decides: it may say that the event changes nothing. */
const takesEvent = (node: StateNode | undefined, event: string): boolean => {
  if (!node) return false;
  const named = node.transitions.get(event) ?? node.transitions.get('*') ?? [];
  if (named.some(({ target, actions }) => target !== undefined || actions.length > 0)) return true;
  return named.every(({ guard }) => guard !== undefined) && takesEvent(node.parent, event);
};
