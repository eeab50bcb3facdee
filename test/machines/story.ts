/** Tells a machine's story as data: start, facts, then state, effects and timers. No clock, no engine. */
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { dottedStateName } from '../../src/engine/step/compileChart.ts';
import { Twin, type Action } from './twin.ts';

/** One request of a step, with plain params. */
export interface Asked {
  name: string;
  params: Record<string, unknown>;
}

/** What XState says of a delayed event. */
interface TimerParams {
  id: string;
  delay?: number;
  event: { type: string };
}

interface Timer {
  event: string;
  due: number;
}

/** A machine told fact by fact. Times are milliseconds from the start of the story. */
export class Story {
  readonly start: number;
  at: number;
  /** Requests of the last step, effects and the engine's own. */
  asked: Asked[] = [];
  /** Every request since the start. */
  readonly all: Asked[] = [];
  readonly timers = new Map<string, Timer>();
  readonly #machine: Twin;

  constructor(machine: AnyStateMachine, input: object, start = 1_700_000_000_000, id = 77) {
    this.start = start;
    this.at = start;
    this.#machine = new Twin(machine, { ...input, at: start, id });
    this.#take(this.#machine.actions);
  }

  get snapshot(): AnyMachineSnapshot {
    return this.#machine.snapshot;
  }

  /** It goes on from here, e.g. from what an older build has kept. */
  set snapshot(snapshot: AnyMachineSnapshot) {
    this.#machine.restsAs(snapshot);
  }

  get state(): string {
    return dottedStateName(this.snapshot.value);
  }

  get context(): Record<string, never> {
    return this.snapshot.context as Record<string, never>;
  }

  get isOver(): boolean {
    return this.snapshot.status === 'done';
  }

  /** Names of the last step's requests, without milestones. */
  get effects(): string[] {
    return this.asked.filter(({ name }) => name !== 'reach').map(({ name }) => name);
  }

  /** Names of the timers that are armed, without their state. */
  get armed(): string[] {
    return [...this.timers.keys()].map((timer) => timer.split('.')[2]!).toSorted();
  }

  /** Params of the last request of this name. */
  last(name: string): Record<string, never> {
    const found = this.all.findLast((asked) => asked.name === name);
    if (!found) throw new Error(`nothing asked for ${name}`);
    return found.params as Record<string, never>;
  }

  count(name: string): number {
    return this.all.filter((asked) => asked.name === name).length;
  }

  /** A fact arrives now. */
  hears(type: string, facts: Record<string, unknown> = {}): this {
    this.#machine.hears({ ...facts, type, at: this.at });
    this.#take(this.#machine.actions);
    return this;
  }

  /** Time passes; timers that fall due are fired in order. */
  passes(ms: number): this {
    const end = this.at + ms;
    for (;;) {
      const next = [...this.timers].filter(([, timer]) => timer.due <= end).toSorted(byDue)[0];
      if (!next) break;
      this.#fire(...next);
    }
    this.at = end;
    return this;
  }

  /** The next timer fires, however far it is. */
  waits(): this {
    const next = [...this.timers].toSorted(byDue)[0];
    if (!next) throw new Error(`no timer is armed in ${this.state}`);
    this.#fire(...next);
    return this;
  }

  #fire(name: string, timer: Timer): void {
    this.timers.delete(name);
    this.at = Math.max(this.at, timer.due);
    this.hears(timer.event);
  }

  #take(actions: readonly Action[]): void {
    this.asked = [];
    for (const { type, params } of actions) {
      if (type === 'xstate.cancel') this.timers.delete((params as { sendId: string }).sendId);
      else if (type === 'xstate.raise') this.#arm(params as TimerParams);
      else
        this.asked.push({
          name: type,
          params: JSON.parse(JSON.stringify(params ?? {})) as Record<string, unknown>,
        });
    }
    this.all.push(...this.asked);
    if (this.isOver) this.timers.clear();
  }

  #arm(params: TimerParams): void {
    if (params.delay === undefined) return;
    if (!Number.isFinite(params.delay)) throw new Error(`timer ${params.id} has no finite delay`);
    this.timers.set(params.id, { event: params.event.type, due: this.at + params.delay });
  }
}

const byDue = ([, one]: [string, Timer], [, other]: [string, Timer]): number => one.due - other.due;
