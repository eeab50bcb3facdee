/**
 * A machine without an engine: the real chart stepped in place, and what each step would leave in the database.
 * It keeps no mail, performs nothing and waits for nothing: every effect counts as accepted by the next step.
 */
import type { MachineSnapshot } from '../../../src/engine/step/stepperTypes.ts';
import type { MachineEvent } from '../../../src/engine/contract/effect.ts';
import {
  type TimerOrPendingEffect,
  earliestDueTime,
} from '../../../src/engine/contract/timersAndPendingEffects.ts';
import {
  type CompiledChart,
  dottedStateName,
  type ChartToEngineRequest,
  type StepResult,
} from '../../../src/engine/step/compileChart.ts';
import { ACCOUNT, GRACE_MS, SHARD } from '../node.ts';
import type { MachineInboxRow } from '../../../src/engine/contract/rows.ts';

/** One step's rows. JSON columns are text. */
export interface LimitRow {
  id: number;
  kind: string;
  version: number;
  revision: number;
  state: string;
  milestones: string;
  snapshot: string;
  agenda: string;
  wakeAt: number | null;
  stepId: number;
  endedAt: number | null;
  at: number;
  event: string;
  payload: string;
  asked: string;
  /** Absent parts of the record were not changed by this step. */
  born: unknown[] | null;
  living: unknown[] | null;
  tells: MachineInboxRow[];
  /** The inbox row this step took. */
  heard: number | null;
  claim: { key: string; until: number } | null;
}

export interface LimitScope {
  now: () => number;
  mint: () => number;
}

export class LimitMachine {
  readonly id: number;
  readonly #chart: CompiledChart;
  readonly #scope: LimitScope;
  #snapshot: MachineSnapshot | null = null;
  #revision = 0;
  #agenda: TimerOrPendingEffect[] = [];
  #milestones: string[] = [];
  #living: unknown[] | null = null;

  constructor(chart: CompiledChart, id: number, scope: LimitScope) {
    this.#chart = chart;
    this.id = id;
    this.#scope = scope;
  }

  /** The first step. */
  begin(input: object, claim: { key: string; forMs: number } | null): LimitRow {
    const at = this.#scope.now();
    const row = this.#row(this.#chart.begin({ ...input, at, id: this.id }), 'started', input, at);
    return { ...row, claim: claim && { key: claim.key, until: at + claim.forMs } };
  }

  /** The next step, or undefined when the chart does not care. */
  hear(event: MachineEvent, heard: number | null): LimitRow | undefined {
    const at = this.#scope.now();
    const stepped = this.#chart.step(this.#snapshot!, { ...event, at });
    if (stepped.snapshot === this.#snapshot && stepped.requests.length === 0) return undefined;
    return { ...this.#row(stepped, event.type, event, at), heard };
  }

  #row({ snapshot, requests }: StepResult, event: string, payload: object, at: number): LimitRow {
    this.#revision += 1;
    this.#snapshot = snapshot;
    this.#agenda = this.#agenda.filter((entry) => entry.t === 'timer');
    const tells: MachineInboxRow[] = [];
    const asked = requests.flatMap((request, index) => this.#take(request, index, at, tells));
    const over = snapshot.status !== 'active';
    if (over) this.#agenda = this.#agenda.filter((entry) => entry.t === 'effect');
    const state = dottedStateName(snapshot.value);
    return {
      id: this.id,
      kind: this.#chart.kind.name,
      version: this.#chart.version,
      revision: this.#revision,
      state,
      milestones: JSON.stringify(this.#milestones),
      snapshot: JSON.stringify(this.#chart.serialize(snapshot)),
      agenda: JSON.stringify(this.#agenda),
      wakeAt: earliestDueTime(this.#agenda),
      stepId: this.#scope.mint(),
      endedAt: over && this.#agenda.length === 0 ? at : null,
      at,
      event,
      payload: JSON.stringify(payload),
      asked: asked.join(' '),
      ...this.#record(snapshot, state),
      tells,
      heard: null,
      claim: null,
    };
  }

  #take(request: ChartToEngineRequest, index: number, at: number, tells: MachineInboxRow[]): string[] {
    switch (request.do) {
      case 'arm': {
        const { timer: id, event, delayMs } = request;
        this.#disarm(id);
        const due = at + delayMs;
        this.#agenda.push({ t: 'timer', id, ...(event !== id && { event }), rev: this.#revision, due });
        return [`${/^xstate\.after\.([^.]+)\./.exec(id)?.[1] ?? id}+${delayMs}`];
      }
      case 'disarm':
        this.#disarm(request.timer);
        return [];
      case 'reach':
        if (!this.#milestones.includes(request.milestone)) this.#milestones.push(request.milestone);
        return [];
      case 'tell': {
        const { machine, event } = request;
        tells.push({ account: ACCOUNT, machine, id: this.#scope.mint(), event: JSON.stringify(event), at });
        return [`tell:${event.type}@${machine}`];
      }
      case 'effect': {
        const { name, params } = request;
        const due = at + this.#chart.kind.effects[name]!.timeoutMs + GRACE_MS;
        const id = `${this.#revision}.${index}`;
        this.#agenda.push({ t: 'effect', id, name, params, rev: this.#revision, tries: 1, due });
        return [name];
      }
      default:
        throw new Error(`no scenario asks for ${request.do}`);
    }
  }

  #disarm(timer: string): void {
    const at = this.#agenda.findIndex((entry) => entry.t === 'timer' && entry.id === timer);
    if (at >= 0) this.#agenda.splice(at, 1);
  }

  #record(snapshot: MachineSnapshot, state: string): Pick<LimitRow, 'born' | 'living'> {
    const shape = this.#chart.kind.record;
    if (!shape) return { born: null, living: null };
    const values = shape.onUpdate(snapshot.context, state);
    const living = Object.keys(shape.updateColumns).map((column) => values[column]);
    const before = this.#living;
    if (before && living.every((value, index) => value === before[index]))
      return { born: null, living: null };
    this.#living = living;
    if (before) return { born: null, living };
    const birth = shape.onInsert(snapshot.context, { shard: SHARD, account: ACCOUNT, id: this.id });
    return { born: Object.keys(shape.insertColumns).map((column) => birth[column]), living };
  }
}
