/** Whether a way is open: a chart's guard, by name, with params, inline, or put together from others. */
import type { AnyStateMachine } from 'xstate';
import type { MachineEvent } from '../../contract/effect.ts';
import type { MachineSnapshot } from '../stepperTypes.ts';

/** What guards and params are asked with. */
export interface GuardArgs {
  context: MachineSnapshot['context'];
  event: MachineEvent;
}

type Question = (moment: GuardArgs, params: unknown) => boolean;

/** `not`, `and`, `or` and `stateIn` of XState. */
interface Compound extends Question {
  check(snapshot: MachineSnapshot, moment: GuardArgs, self: Compound): boolean;
}

export type ChartGuardDefinition = string | Question | { type: string; params?: unknown };

/** Throws what the guard throws. `standing` is looked at by guards that are put together. */
export const evaluateGuard = (
  guard: ChartGuardDefinition,
  moment: GuardArgs,
  { implementations }: AnyStateMachine,
  standing: () => MachineSnapshot,
): boolean => {
  const question =
    typeof guard === 'function'
      ? guard
      : (implementations.guards as Record<string, Question | undefined>)[guardOrActionName(guard)];
  if (typeof question !== 'function')
    throw new Error(`Guard '${guardOrActionName(guard)}' is not implemented.`);
  if ('check' in question) return (question as Compound).check(standing(), moment, question as Compound);
  return question(moment, guardOrActionParams(guard, moment));
};

/** The params of a guard or an action: as they stand, or made for the moment. */
export const guardOrActionParams = (asked: string | object, moment: GuardArgs): unknown => {
  if (typeof asked !== 'object' || !('params' in asked)) return undefined;
  const { params } = asked;
  return typeof params === 'function' ? (params as (moment: GuardArgs) => unknown)(moment) : params;
};

export const guardOrActionName = (asked: string | { type: string } | { name: string }): string => {
  if (typeof asked === 'string') return asked;
  return 'type' in asked ? asked.type : asked.name;
};
