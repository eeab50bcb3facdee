/**
 * Steps any chart with XState's own logic.
 *
 * XState's public `transition()` builds a throw-away actor on every call, so one scope a chart is kept and its logic's
 * own `transition` is used instead (three times as fast).
 */
import {
  createActor,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
} from 'xstate';
import type { MachineEvent } from '../../contract/effect.ts';
import { chartTransitionIds } from '../../contract/transitionIds.ts';
import type { Emit, PersistedSnapshot, MachineSnapshot, ChartStepper } from '../stepperTypes.ts';

interface Scope {
  actionExecutor: (action: { type: string; params: unknown }) => void;
}

export class XStateStepper implements ChartStepper {
  readonly #machine: AnyStateMachine;
  readonly #scope: Scope;
  #ask: Emit = () => {};
  #taken: number[] = [];

  constructor(machine: AnyStateMachine) {
    this.#machine = machine;
    const ids = chartTransitionIds(machine);
    this.#scope = scopeOf(
      machine,
      (type, params) => this.#ask(type, params),
      (transitions) => this.#taken.push(...transitions.map((one) => ids.get(one)!)),
    );
  }

  begin(input: object, ask: Emit, taken: number[] = []): MachineSnapshot {
    this.#ask = ask;
    this.#taken = taken;
    const snapshot = this.#machine.getInitialSnapshot(this.#scope as never, input) as AnyMachineSnapshot;
    // XState keeps what a context's making or a first entry throws.
    if (snapshot.status === 'error') throw snapshot.error;
    return snapshot;
  }

  step(snapshot: MachineSnapshot, event: MachineEvent, ask: Emit, taken: number[] = []): MachineSnapshot {
    this.#ask = ask;
    this.#taken = taken;
    return this.#machine.transition(snapshot as AnyMachineSnapshot, event, this.#scope as never);
  }

  thaw({ v, s = 'active', c, h = {} }: PersistedSnapshot): MachineSnapshot {
    const historyValue = Object.fromEntries(
      Object.entries(h).map(([key, ids]) => [key, ids.map((id) => this.#machine.getStateNodeById(id))]),
    );
    return this.#machine.resolveState({ value: v, status: s, context: c, historyValue });
  }

  /** The name of states beside each other does not say what each lies in. */
  mayHaveTag(): boolean {
    return true;
  }
}

/** What XState tells inspectors of each microstep. */
interface Inspected {
  type: string;
  _transitions?: readonly AnyTransitionDefinition[];
}

const scopeOf = (
  machine: AnyStateMachine,
  ask: Emit,
  take: (transitions: readonly AnyTransitionDefinition[]) => void,
): Scope => {
  const self = createActor(asIdle(machine));
  const system = Object.assign(Object.create(self.system as object) as object, {
    _sendInspectionEvent: ({ type, _transitions = [] }: Inspected) => {
      if (type === '@xstate.microstep') take(_transitions);
    },
  });
  const nothing = (): void => {};
  return Object.assign(
    {
      self,
      system,
      id: '',
      sessionId: '',
      logger: nothing,
      defer: nothing,
      emit: nothing,
      stopChild: nothing,
    },
    { actionExecutor: ({ type, params }: { type: string; params: unknown }) => ask(type, params) },
  );
};

/** The scope's actor is never started and must not run the chart's initial state, which wants an input. */
const asIdle = (machine: AnyStateMachine): AnyStateMachine =>
  Object.assign(Object.create(Object.getPrototypeOf(machine) as object), machine, {
    getInitialSnapshot: () => ({ status: 'active', children: {}, context: {}, value: {} }),
  }) as AnyStateMachine;
