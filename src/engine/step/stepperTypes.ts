/**
 * How a chart's machine is stepped: purely. A snapshot and an event in; the next snapshot out, and on the way whatever
 * the chart asks for.
 *
 * XState says what a chart means, and is the reference (`stepper/xstateStepper.ts`). A chart whose states never stand beside
 * each other takes the short way (`stepper/tableStepper.ts`): it is always at one place of a map that is drawn once.
 * `test/engine/stepper.test.ts` holds the two equal, on all charts and on random ones.
 */
import type { AnyMachineSnapshot, StateValue } from 'xstate';
import type { MachineEvent } from '../contract/effect.ts';

/** Where a machine stands: what XState's own snapshot says of it and the engine reads. */
export interface MachineSnapshot {
  readonly value: StateValue;
  readonly status: AnyMachineSnapshot['status'];
  readonly context: AnyMachineSnapshot['context'];
  /** What history states remember: state nodes, by the history state's id. */
  readonly historyValue: Readonly<Record<string, readonly { id: string }[]>>;
  hasTag(tag: string): boolean;
}

/** A snapshot as it is kept. */
export interface PersistedSnapshot {
  v: StateValue;
  /** Absent: `active`. */
  s?: MachineSnapshot['status'];
  c: MachineSnapshot['context'];
  /** Ids of state nodes, by the history state's id; absent: there are none. */
  h?: Record<string, string[]>;
}

/** Told of every action that is not the chart's own business, in order. */
export type Emit = (type: string, params: unknown) => void;

export interface ChartStepper {
  /**
   * The first step. Throws what the chart throws. `taken`: the short ids of the transitions that are taken are added to it,
   * in order (`contract/transitionIds.ts`).
   */
  begin(input: object, ask: Emit, taken?: number[]): MachineSnapshot;
  /** The next step; the same snapshot comes back when nothing was changed. Throws what the chart throws. */
  step(snapshot: MachineSnapshot, event: MachineEvent, ask: Emit, taken?: number[]): MachineSnapshot;
  /** Throws for a state that the chart does not have. */
  thaw(frozen: PersistedSnapshot): MachineSnapshot;
  /**
   * Whether a machine that stands in a state of this name (`dotted`) may carry a tag: false, it surely does not. Throws
   * for a state that the chart does not have.
   */
  mayHaveTag(state: string, tag: string): boolean;
}
