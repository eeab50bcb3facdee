/** What a way does: notes for the context, timers, and what the engine is asked for. */
import type { AnyStateMachine, UnknownAction } from 'xstate';
import type { MachineEvent } from '../../contract/effect.ts';
import type { Emit, MachineSnapshot } from '../stepperTypes.ts';
import { guardOrActionName, guardOrActionParams, type GuardArgs } from './evaluateGuard.ts';

export type XStateAction = UnknownAction;

/** A step under way, as its actions see it. */
export interface ActionScope {
  machine: AnyStateMachine;
  context: MachineSnapshot['context'];
  /** Events that were raised, in order. */
  readonly raised: MachineEvent[];
  ask: Emit;
  /** How it stands now. */
  snapshot(): MachineSnapshot;
}

type Update = (moment: GuardArgs, params: unknown) => object;

/** An action that XState brings along: `assign`, `raise`, `cancel`, `enqueueActions`. */
interface BuiltIn {
  type: string;
  assignment?: Update | Record<string, unknown>;
  resolve(
    scope: object,
    standing: MachineSnapshot,
    moment: GuardArgs,
    params: unknown,
    self: BuiltIn,
    extra: { internalQueue: MachineEvent[] },
  ): [standing: MachineSnapshot, params: unknown, actions?: readonly XStateAction[]];
  execute?: unknown;
}

/** Actors have no part in a step. */
const NO_SCOPE = {};

export const performChartActions = (
  doing: ActionScope,
  actions: readonly XStateAction[],
  event: MachineEvent,
): void => {
  for (const action of actions) performOne(doing, action, event);
};

const performOne = (doing: ActionScope, action: XStateAction, event: MachineEvent): void => {
  const moment = { context: doing.context, event };
  const params = guardOrActionParams(action, moment);
  const builtIn = builtInOf(doing.machine, action);
  if (!builtIn) doing.ask(guardOrActionName(action), params);
  else if (builtIn.assignment) doing.context = assigned(builtIn.assignment, moment, params);
  else resolve(doing, builtIn, moment, params);
};

const builtInOf = ({ implementations }: AnyStateMachine, action: XStateAction): BuiltIn | undefined => {
  const meant: unknown =
    typeof action === 'function'
      ? action
      : (implementations.actions as Record<string, unknown>)[guardOrActionName(action)];
  return typeof meant === 'function' && 'resolve' in meant ? (meant as unknown as BuiltIn) : undefined;
};

/** XState's own `assign` draws up a whole snapshot for every note. */
const assigned = (
  assignment: Update | Record<string, unknown>,
  moment: GuardArgs,
  params: unknown,
): MachineSnapshot['context'] => {
  if (typeof assignment === 'function') return { ...moment.context, ...assignment(moment, params) };
  const update: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(assignment))
    update[key] = typeof value === 'function' ? (value as Update)(moment, params) : value;
  return { ...moment.context, ...update };
};

const resolve = (doing: ActionScope, builtIn: BuiltIn, moment: GuardArgs, params: unknown): void => {
  const standing = doing.snapshot();
  const extra = { internalQueue: doing.raised };
  const [after, asked, more] = builtIn.resolve(NO_SCOPE, standing, moment, params, builtIn, extra);
  if (after !== standing) throw new Error(`${builtIn.type} has no part in a chart that is kept`);
  if (builtIn.execute) doing.ask(builtIn.type, asked);
  if (more) performChartActions(doing, more, moment.event);
};
