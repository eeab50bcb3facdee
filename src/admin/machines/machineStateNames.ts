/** The names that states of machines have in their rows, for those who ask by one. */
import type { AnyStateMachine } from 'xstate';
import type { Kind } from '../../engine/contract/kind.ts';
import { PENDING_MACHINE_STATE } from '../../engine/contract/deferredStart.ts';
import { memoizeInWeakMap } from '../../lib/memoizeInWeakMap.ts';

type StateNode = AnyStateMachine['root'];

const below = (node: StateNode, name: string): string[] => [
  name,
  ...Object.entries(node.states).flatMap(([key, inner]) => below(inner, `${name}.${key}`)),
];

/** All that charts of any released version have; an outer state's name stands for those within it. */
const namesOf = memoizeInWeakMap(
  ({ versions }: Kind): ReadonlySet<string> =>
    new Set([
      PENDING_MACHINE_STATE,
      ...Object.values(versions).flatMap(({ root }) =>
        Object.entries(root.states).flatMap(([key, node]) => below(node, key)),
      ),
    ]),
);

/** Whether a machine of this kind can stand in a state of this name. */
export const isMachineState = (kind: Kind, name: string): boolean => namesOf(kind).has(name);
