/**
 * Steps a chart whose states never stand beside each other, from place to place of its map.
 *
 * XState works out anew at every microstep which states are left and entered, and draws up a snapshot for every note;
 * here the map knows the first, and the second is made once a step. What a step means is XState's: an event takes at
 * most one way, then ways that need no event are taken until there are none, then what was raised is heard.
 */
import type { AnyStateMachine, StateValue } from 'xstate';
import type { MachineEvent } from '../../contract/effect.ts';
import type { Emit, PersistedSnapshot, MachineSnapshot, ChartStepper } from '../stepperTypes.ts';
import { performChartActions, type ActionScope } from './performActions.ts';
import { guardOrActionName, evaluateGuard } from './evaluateGuard.ts';
import { TransitionTable, type CompiledChartState, type CompiledTransition } from './transitionTable.ts';

/** Nothing is ever remembered of a state that was left. */
const NO_HISTORY = {};

/** The part of XState's snapshot that guards made of others look at. */
class PathSnapshot implements MachineSnapshot {
  readonly machine: AnyStateMachine;
  readonly place: CompiledChartState;
  readonly status: MachineSnapshot['status'];
  readonly context: MachineSnapshot['context'];

  constructor(
    machine: AnyStateMachine,
    place: CompiledChartState,
    status: MachineSnapshot['status'],
    context: MachineSnapshot['context'],
  ) {
    this.machine = machine;
    this.place = place;
    this.status = status;
    this.context = context;
  }

  get value(): MachineSnapshot['value'] {
    return this.place.value;
  }

  get historyValue(): MachineSnapshot['historyValue'] {
    return NO_HISTORY;
  }

  get _nodes(): CompiledChartState['path'] {
    return this.place.path;
  }

  hasTag(tag: string): boolean {
    return this.place.tags.has(tag);
  }
}

export class TransitionTableStepper implements ChartStepper {
  readonly #machine: AnyStateMachine;
  readonly #chartMap: TransitionTable;

  constructor(machine: AnyStateMachine) {
    this.#machine = machine;
    this.#chartMap = new TransitionTable(machine);
  }

  begin(input: object, ask: Emit, taken: number[] = []): MachineSnapshot {
    const event = { type: 'xstate.init', input };
    const { start } = this.#chartMap;
    const step = new Step(this.#machine, start.to, 'active', firstContext(this.#machine, input), ask, taken);
    step.follow(start, event);
    step.settle(event);
    return step.snapshot();
  }

  step(snapshot: MachineSnapshot, event: MachineEvent, ask: Emit, taken: number[] = []): MachineSnapshot {
    const { place, status, context } = snapshot as PathSnapshot;
    const step = new Step(this.#machine, place, status, context, ask, taken);
    step.hear(event);
    step.settle(event);
    return step.hasMoved || step.context !== context ? step.snapshot() : snapshot;
  }

  thaw({ v, s = 'active', c }: PersistedSnapshot): MachineSnapshot {
    const place = this.#chartMap.at(v);
    return new PathSnapshot(this.#machine, place, place.isEnd ? 'done' : s, c);
  }

  mayHaveTag(state: string, tag: string): boolean {
    return this.#chartMap.at(valueNamed(state)).tags.has(tag);
  }
}

/** `talking.gathering` as XState writes it. */
const valueNamed = (state: string): StateValue => {
  const [innermost, ...around] = state.split('.').toReversed();
  return around.reduce<StateValue>((value, name) => ({ [name]: value }), innermost!);
};

/** A context that is made, or a copy of one that always begins the same. */
const firstContext = ({ config }: AnyStateMachine, input: object): object => {
  const context = config.context as object | ((scope: { input: object }) => object) | undefined;
  return typeof context === 'function' ? { ...context({ input }) } : (context ?? {});
};

/** One step under way. */
class Step implements ActionScope {
  readonly machine: AnyStateMachine;
  readonly ask: Emit;
  readonly raised: MachineEvent[] = [];
  readonly taken: number[];
  context: MachineSnapshot['context'];
  hasMoved = false;
  #place: CompiledChartState;
  #status: MachineSnapshot['status'];

  constructor(
    machine: AnyStateMachine,
    place: CompiledChartState,
    status: MachineSnapshot['status'],
    context: MachineSnapshot['context'],
    ask: Emit,
    taken: number[],
  ) {
    this.machine = machine;
    this.taken = taken;
    this.#place = place;
    this.#status = status;
    this.context = context;
    this.ask = ask;
  }

  snapshot(): PathSnapshot {
    return new PathSnapshot(this.machine, this.#place, this.#status, this.context);
  }

  hear(event: MachineEvent): void {
    const way = this.#choose(this.#place.on(event.type), event);
    if (way) this.follow(way, event);
  }

  follow(way: CompiledTransition, event: MachineEvent): void {
    if (way.id >= 0) this.taken.push(way.id);
    performChartActions(this, way.actions, event);
    if (way.to !== this.#place) this.hasMoved = true;
    this.#place = way.to;
    if (way.finished !== null) this.#finish(way.finished);
    if (this.#status === 'done') performChartActions(this, way.to.exit, event);
  }

  #finish(told: string): void {
    this.raised.push({ type: told, output: undefined });
    if (!this.#place.isEnd) return;
    this.#status = 'done';
    this.hasMoved = true;
  }

  /** Until nothing more follows. Throws when there is no end to it. */
  settle(event: MachineEvent): void {
    const most = this.machine.options?.maxIterations ?? Infinity;
    let last = event;
    let looks = true;
    for (let turns = 1; this.#status === 'active'; turns++) {
      if (turns > most)
        throw new Error(`more than ${most} microsteps without coming to rest in ${this.#place.path[0]!.id}`);
      const way = looks ? this.#choose(this.#place.always, last) : undefined;
      if (way) looks = this.#followed(way, last);
      else {
        const next = this.raised.shift();
        if (!next) return;
        last = next;
        this.hear(last);
        looks = true;
      }
    }
  }

  /** Whether a way that needs no event has changed anything: one that does not is not taken twice in a row. */
  #followed(way: CompiledTransition, event: MachineEvent): boolean {
    const place = this.#place;
    const { context } = this;
    this.follow(way, event);
    return this.#place !== place || this.context !== context;
  }

  #choose(ways: readonly CompiledTransition[], event: MachineEvent): CompiledTransition | undefined {
    if (ways.length === 0) return undefined;
    const moment = { context: this.context, event };
    for (const way of ways) if (way.guard === undefined || this.#isOpen(way, moment)) return way;
    return undefined;
  }

  #isOpen({ guard, name }: CompiledTransition, moment: { context: unknown; event: MachineEvent }): boolean {
    try {
      return evaluateGuard(guard!, moment, this.machine, () => this.snapshot());
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`guard '${guardOrActionName(guard!)}' on ${name}: ${message}`, { cause: error });
    }
  }
}
