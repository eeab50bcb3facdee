/**
 * Steps a machine twice, with XState's public functions and as the engine steps it, and throws where the two differ.
 * Every story that a test tells is told to both.
 */
import { initialTransition, transition, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import { isDeepStrictEqual } from 'node:util';
import type { ChartEvent } from '../../src/engine/contract/effect.ts';
import type { Emit, Snapshot } from '../../src/engine/step/stepper.ts';
import { TableStepper } from '../../src/engine/step/stepper/tableStepper.ts';

/** An action that a step asks for. */
export interface Action {
  type: string;
  params: unknown;
}

export class Twin {
  readonly #machine: AnyStateMachine;
  readonly #stepper: TableStepper;
  #theirs: AnyMachineSnapshot;
  #ours: Snapshot;
  /** What the last step asked for. */
  actions: readonly Action[] = [];

  constructor(machine: AnyStateMachine, input: object) {
    this.#machine = machine;
    this.#stepper = stepperOf(machine);
    const [snapshot, actions] = initialTransition(machine, input as never);
    this.#theirs = snapshot as AnyMachineSnapshot;
    this.#ours = this.#compare(actions, (ask) => this.#stepper.begin(input, ask));
  }

  get snapshot(): AnyMachineSnapshot {
    return this.#theirs;
  }

  hears(event: ChartEvent): void {
    const [snapshot, actions] = transition(this.#machine, this.#theirs, event);
    this.#theirs = snapshot as AnyMachineSnapshot;
    this.#ours = this.#compare(actions, (ask) => this.#stepper.step(this.#ours, event, ask));
    this.restsAs(this.#theirs);
  }

  #compare(actions: readonly Action[], step: (ask: Emit) => Snapshot): Snapshot {
    const asked: Action[] = [];
    const ours = step((type, params) => asked.push({ type, params }));
    this.actions = asked;
    const expected = seen(
      this.#theirs,
      actions.map(({ type, params }) => ({ type, params })),
    );
    if (!isDeepStrictEqual(seen(ours, asked), expected))
      throw new Error(
        `the engine steps otherwise than XState: ${JSON.stringify([seen(ours, asked), expected])}`,
      );
    return ours;
  }

  /** What is kept is JSON; a context that does not survive it would differ after a restart. */
  restsAs({ value, status, context }: AnyMachineSnapshot): void {
    const kept = JSON.parse(JSON.stringify(context)) as object;
    this.#theirs = this.#machine.resolveState({ value, status, context: kept }) as AnyMachineSnapshot;
    this.#ours = this.#stepper.thaw({ v: value, s: status, c: kept });
  }
}

const seen = ({ value, status, context }: Snapshot, actions: readonly Action[]): unknown => ({
  value,
  status,
  context: context as unknown,
  actions,
});

/** A chart's map is drawn once, however many stories are told of it. */
const steppers = new WeakMap<AnyStateMachine, TableStepper>();

const stepperOf = (machine: AnyStateMachine): TableStepper => {
  const known = steppers.get(machine) ?? new TableStepper(machine);
  steppers.set(machine, known);
  return known;
};
