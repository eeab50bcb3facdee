/** A chart version as plain data: what its drawing, its reader of histories and a page need to know of it. */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { statesInOrder, transitionsInOrder } from '../../engine/contract/transitionIds.ts';

export interface StatechartState {
  /** `answered.speaking`; of the chart itself ''. */
  id: string;
  /** `speaking`. */
  name: string;
  /** Id of the state around it; of the chart itself ''. */
  parent: string;
  /** Ids of the states directly inside it. */
  children: readonly string[];
  /** `question`: it is left in the step that enters it. */
  kind: 'state' | 'question' | 'final';
  /** The state that its parent begins in. */
  isInitial: boolean;
  /** What is asked for on entry. */
  effects: readonly string[];
}

export interface StatechartTransition {
  /** Its short id: its index in the chart's list (`transitionIds.ts`). */
  id: number;
  /** Id of its state. */
  from: string;
  /** Id of the state that it leads to; absent: it leaves no state. */
  to?: string;
  /** As histories name it, e.g. `answered`, `xstate.after.resume.call.retrying`; '' for a question's answer. */
  event: string;
  /** As people read it: `answered`, `after 60 s`, `after resume`; '' for a question's answer. */
  label: string;
  /** '' where it has none. */
  guard: string;
}

export interface StatechartData {
  kind: string;
  version: number;
  /** The chart itself first, then each state before those inside it. */
  states: readonly StatechartState[];
  /** In the order of their ids. */
  transitions: readonly StatechartTransition[];
}

/** Reads a chart version. */
export const readStatechart = (kind: string, version: number, machine: AnyStateMachine): StatechartData => {
  const prefix = machine.root.id.length + 1;
  const idOf = (node: AnyStateNode): string => node.id.slice(prefix);
  const delays = machine.implementations.delays as Record<string, unknown>;
  return {
    kind,
    version,
    states: statesInOrder(machine.root).map((node) => readState(node, idOf)),
    transitions: transitionsInOrder(machine).map((transition, id) =>
      readTransition(transition, id, idOf, delays),
    ),
  };
};

/** The name of the delay of a timer's event; undefined: the event is no timer's. */
const delayNameOf = (event: string): string | undefined => /^xstate\.after\.(\w+)\./.exec(event)?.[1];

/** A state, the states around it from the inside out, and last the chart itself (''). */
export const withAncestors = (id: string): string[] => {
  const parts = id === '' ? [] : id.split('.');
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join('.')), ''];
};

const readState = (node: AnyStateNode, idOf: (node: AnyStateNode) => string): StatechartState => ({
  id: idOf(node),
  name: node.key,
  parent: node.parent ? idOf(node.parent) : '',
  children: (Object.values(node.states) as AnyStateNode[]).map(idOf),
  kind: node.type === 'final' ? 'final' : isQuestion(node) ? 'question' : 'state',
  isInitial: node.parent?.config.initial === node.key,
  effects: effectsOf(node.entry),
});

/** An answer without a guard is always open, so the state cannot be rested in. */
const isQuestion = ({ always }: AnyStateNode): boolean =>
  always?.some(({ guard }) => guard === undefined) ?? false;

const readTransition = (
  { source, target, eventType, guard }: AnyTransitionDefinition,
  id: number,
  idOf: (node: AnyStateNode) => string,
  delays: Record<string, unknown>,
): StatechartTransition => {
  const event = String(eventType);
  const [goal] = target ?? [];
  return {
    id,
    from: idOf(source),
    ...(goal && { to: idOf(goal) }),
    event,
    label: labelOf(event, delays),
    guard: guardName(guard),
  };
};

const labelOf = (event: string, delays: Record<string, unknown>): string => {
  const name = delayNameOf(event);
  return name === undefined ? event : `after ${constantDelay(delays[name]) ?? name}`;
};

/** `15 s` of a delay that looks at nothing; undefined: how long it is depends on the machine. */
const constantDelay = (delay: unknown): string | undefined => {
  const isConstant = typeof delay === 'function' && delay.length === 0;
  const ms = isConstant ? (delay as () => unknown)() : delay;
  if (typeof ms !== 'number') return undefined;
  const [most, unit] = UNITS.find(([unitMs]) => ms >= 2 * unitMs) ?? SECOND;
  return `${Number((ms / most).toFixed(1))} ${unit}`;
};

const SECOND = [1_000, 's'] as const;
const UNITS = [[86_400_000, 'd'], [3_600_000, 'h'], [60_000, 'min'], SECOND] as const;

/** `isCallee`; of one that is asked with a word (`means`: `hangUp`) the word alone says enough. */
const guardName = (guard: unknown): string => {
  if (guard === undefined) return '';
  if (typeof guard === 'string') return guard;
  const { type, params } = guard as { type: string; params?: unknown };
  return typeof params === 'string' ? params : type;
};

/** Requests to the world; notes are the chart's own business. */
const effectsOf = (actions: readonly unknown[]): string[] =>
  actions
    .map((action) => (typeof action === 'string' ? action : String((action as { type?: unknown }).type)))
    .filter((name) => !name.startsWith('note') && !name.startsWith('xstate.'));
