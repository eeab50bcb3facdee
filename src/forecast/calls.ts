/** The calls of a forecast: the call chart itself, a snapshot and its timers for each that lives. */
import type { AnyMachineSnapshot } from 'xstate';
import type { CallContext } from '../../machines/call/context.ts';
import type { CallInput } from '../../machines/call/input.ts';
import type { CallReport } from '../../machines/vocabulary/campaign.ts';
import type { ChartEvent } from '../../machines/effect.ts';
import type { Chart, Request, Stepped } from '../engine/chart.ts';
import type { Person } from './people.ts';
import type { Alarm, VirtualClock } from './clock.ts';

/** A call that has not ended. */
export interface LiveCall {
  readonly id: number;
  snapshot: AnyMachineSnapshot;
  readonly timers: Map<string, Alarm>;
  /** Legs that have not ended, and whether they were answered. */
  readonly legs: Map<number, { isUp: boolean }>;
  /** Attempts that were made before the forecast began. */
  readonly tried: number;
  /** Who is at the other end of the current attempt. */
  person: Person | undefined;
  /** Which question it waits for an answer to; empty: none. */
  question: string;
}

export interface CallSurroundings {
  clock: VirtualClock;
  /** The call chart. */
  chart: Chart;
  /** An effect is asked for. */
  perform(call: LiveCall, effect: string, params: Record<string, unknown>): void;
  /** A word to the campaign. */
  tell(report: CallReport): void;
  /** The call begins to wait for digits. */
  listens(call: LiveCall): void;
  ended(call: LiveCall): void;
}

export const contextOf = (call: LiveCall): CallContext => call.snapshot.context as CallContext;

export class Calls {
  readonly #around: CallSurroundings;
  readonly #living = new Map<number, LiveCall>();
  #steps = 0;

  constructor(around: CallSurroundings) {
    this.#around = around;
  }

  /** Facts and timers that calls were given. */
  get steps(): number {
    return this.#steps;
  }

  /** `tried`: attempts that were made before. */
  begin(id: number, input: CallInput, tried = 0): void {
    const stepped = this.#around.chart.begin({ ...input, at: this.#around.clock.now(), id });
    const call: LiveCall = {
      id,
      snapshot: stepped.snapshot,
      timers: new Map(),
      legs: new Map(),
      tried,
      person: undefined,
      question: '',
    };
    this.#living.set(id, call);
    this.#settle(call, stepped);
  }

  /** A word of the campaign. */
  tell(id: number, event: ChartEvent): void {
    const call = this.#living.get(id);
    if (call) this.hear(call, event);
  }

  /** A fact; a call that has ended hears nothing. */
  hear(call: LiveCall, event: ChartEvent): void {
    if (!this.#living.has(call.id)) return;
    this.#settle(call, this.#around.chart.step(call.snapshot, { ...event, at: this.#around.clock.now() }));
  }

  /** A fact that arrives after so many milliseconds. */
  hearLater(call: LiveCall, ms: number, event: ChartEvent): void {
    this.#around.clock.set(ms, () => this.hear(call, event));
  }

  #settle(call: LiveCall, { snapshot, requests }: Stepped): void {
    this.#steps += 1;
    call.snapshot = snapshot;
    for (const request of requests) this.#fulfil(call, request);
    if (snapshot.status === 'active') this.#watch(call);
    else this.#bury(call);
  }

  #watch(call: LiveCall): void {
    const { answered } = call.snapshot.value as { answered?: unknown };
    const { responses, misses } = contextOf(call).talk;
    const question = answered === 'listening' ? `${responses.length} ${misses}` : '';
    if (question !== '' && question !== call.question) this.#around.listens(call);
    call.question = question;
  }

  #bury(call: LiveCall): void {
    for (const timer of call.timers.values()) this.#around.clock.callOff(timer);
    this.#living.delete(call.id);
    this.#around.ended(call);
  }

  #fulfil(call: LiveCall, request: Request): void {
    switch (request.do) {
      case 'arm':
        this.#disarm(call, request.timer);
        call.timers.set(
          request.timer,
          this.#around.clock.set(request.delayMs, () => {
            call.timers.delete(request.timer);
            this.hear(call, { type: request.event });
          }),
        );
        return;
      case 'disarm':
        return this.#disarm(call, request.timer);
      case 'tell':
        return this.#around.tell(this.#reported(call, request.event as CallReport));
      case 'effect':
        return this.#around.perform(call, request.name, request.params);
      default:
      // Milestones have no listeners, and a list has every number once: claims are granted.
    }
  }

  #disarm(call: LiveCall, name: string): void {
    const timer = call.timers.get(name);
    if (!timer) return;
    this.#around.clock.callOff(timer);
    call.timers.delete(name);
  }

  /** The campaign counts the attempts that were made before as well. */
  #reported(call: LiveCall, report: CallReport): CallReport {
    return report.type === 'attemptBegun' ? { ...report, attempt: report.attempt + call.tried } : report;
  }
}
