/**
 * Steps a machine twice, with XState's public functions and as the engine steps it, and throws where the two differ.
 * Every story that a test tells is told to both. The transitions that are written down as evidence are those of the
 * microsteps that XState tells its inspectors of.
 */
import { initialTransition, transition, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import { isDeepStrictEqual } from 'node:util';
import type { MachineEvent } from '../../src/engine/contract/effect.ts';
import type { Emit, MachineSnapshot } from '../../src/engine/step/stepperTypes.ts';
import { XStateStepper } from '../../src/engine/step/stepper/xstateStepper.ts';
import { TransitionTableStepper } from '../../src/engine/step/stepper/tableStepper.ts';

/** An action that a step asks for. */
export interface Action {
  type: string;
  params: unknown;
}

export class Twin {
  readonly #machine: AnyStateMachine;
  readonly #stepper: TransitionTableStepper;
  readonly #inspected: XStateStepper;
  #theirs: AnyMachineSnapshot;
  #ours: MachineSnapshot;
  /** What the last step asked for. */
  actions: readonly Action[] = [];

  constructor(machine: AnyStateMachine, input: object) {
    this.#machine = machine;
    ({ ours: this.#stepper, inspected: this.#inspected } = steppersOf(machine));
    const [snapshot, actions] = initialTransition(machine, input as never);
    this.#theirs = snapshot as AnyMachineSnapshot;
    const taken: number[] = [];
    this.#inspected.begin(input, nothing, taken);
    this.#ours = this.#compare(actions, taken, (ask, ids) => this.#stepper.begin(input, ask, ids));
  }

  get snapshot(): AnyMachineSnapshot {
    return this.#theirs;
  }

  hears(event: MachineEvent): void {
    const [snapshot, actions] = transition(this.#machine, this.#theirs, event);
    const taken: number[] = [];
    this.#inspected.step(this.#theirs, event, nothing, taken);
    this.#theirs = snapshot as AnyMachineSnapshot;
    this.#ours = this.#compare(actions, taken, (ask, ids) => this.#stepper.step(this.#ours, event, ask, ids));
    this.restsAs(this.#theirs);
  }

  #compare(
    actions: readonly Action[],
    taken: readonly number[],
    step: (ask: Emit, taken: number[]) => MachineSnapshot,
  ): MachineSnapshot {
    const asked: Action[] = [];
    const ids: number[] = [];
    const ours = step((type, params) => asked.push({ type, params }), ids);
    if (!isDeepStrictEqual(ids, taken))
      throw new Error(`the engine takes other transitions than XState: ${JSON.stringify([ids, taken])}`);
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

const seen = ({ value, status, context }: MachineSnapshot, actions: readonly Action[]): unknown => ({
  value,
  status,
  context: context as unknown,
  actions,
});

const nothing = (): void => {};

interface Steppers {
  ours: TransitionTableStepper;
  inspected: XStateStepper;
}

/** A chart's map is drawn once, however many stories are told of it. */
const steppers = new WeakMap<AnyStateMachine, Steppers>();

const steppersOf = (machine: AnyStateMachine): Steppers => {
  const known = steppers.get(machine) ?? {
    ours: new TransitionTableStepper(machine),
    inspected: new XStateStepper(machine),
  };
  steppers.set(machine, known);
  return known;
};
