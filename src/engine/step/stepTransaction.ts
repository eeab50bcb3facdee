/**
 * One write in the making: a machine's committed state, the mail that waits for it, and what comes of it.
 * Pure: nothing here touches the store or the world. The lane commits it (`step/stepToRows.ts`); only then is it true. What each piece of mail does to it stands in `step/applyMailToStep.ts`.
 *
 * Its lists are replaced, never written to: most stay empty, and a step that fails is undone by putting them back.
 */
import type { BalanceBooking, MachineEvent } from '../contract/effect.ts';
import {
  findPendingEffect,
  postponeGuardTimers,
  type TimerOrPendingEffect,
  type EffectOutcome,
  type PendingEffectEntry,
  type AcceptedEffect,
} from '../contract/timersAndPendingEffects.ts';
import { dottedStateName, type CompiledChart, type StepResult } from './compileChart.ts';
import type { MachineState } from './machineState.ts';
import type { ContextJsonCache } from './cachedContextJson.ts';
import type { Mail } from '../contract/machineMail.ts';
import { applyStepRequests, effectBegunAt } from './applyStepRequests.ts';
import { ENDED_EFFECTS_FIELD } from './effectsEnded.ts';
import type { MachineSnapshot } from './stepperTypes.ts';
import { deferredMachineStartTimer, PENDING_MACHINE_STATE } from '../contract/deferredStart.ts';
import type { BalanceBookingWrite, KeyClaimWrite, HistoryRow, MachineInboxRow } from '../contract/rows.ts';
import type { StepTransactionDeps } from './transactionScope.ts';

/** A machine that begins. */
export interface NewMachineStart {
  chart: CompiledChart;
  account: number;
  id: number;
  input: object;
  at: number;
}

const NONE: readonly never[] = [];
/** Of all that are pending. */
const NO_PARTS: ContextJsonCache = new Map();
const NO_CLAIMANTS: ReadonlyMap<string, Mail | null> = new Map();
/** Characters of a failure that are kept. */
const FAILURE_LENGTH = 500;

export class UncommittedMachineStep {
  readonly base: MachineState | null;
  readonly chart: CompiledChart;
  readonly account: number;
  readonly id: number;
  readonly at: number;
  readonly stepId: number;
  readonly scope: StepTransactionDeps;

  /** Of one that is pending: nothing. */
  snapshot: MachineSnapshot;
  /** What it is to be born with, as JSON; null: it is born. */
  deferred: string | null;
  revision: number;
  state: string;
  milestones: readonly string[];
  agenda: readonly TimerOrPendingEffect[];
  lastSeq: Readonly<Record<string, number>>;
  attention: string | null;
  endedAt: number | null;
  /** The record's living values, when they were looked at and changed. */
  recordValues: readonly unknown[] | null = null;
  jsonCache: ContextJsonCache;
  /** Effects to perform once this is committed. */
  effects: readonly PendingEffectEntry[] = NONE;
  /** Machines started by this step, and by their own first steps; written in the same commit. */
  children: readonly UncommittedMachineStep[] = NONE;
  outbox: readonly MachineInboxRow[] = NONE;
  /** Milestones newly passed. */
  reached: readonly string[] = NONE;
  claims: readonly KeyClaimWrite[] = NONE;
  releases: readonly string[] = NONE;
  bookings: readonly BalanceBookingWrite[] = NONE;
  /** The mail that asked for a claim, by key: a lost claim undoes it. */
  claimants: ReadonlyMap<string, Mail | null> = NO_CLAIMANTS;
  history: readonly HistoryRow[] = NONE;
  /** Inbox rows that its mail was. */
  consumedInbox: readonly number[] = NONE;
  /** The mail being taken. */
  mail: Mail | null = null;
  /** Effects that ended since the last entry of the history. */
  #ended: readonly EffectOutcome[] = NONE;
  #dirty = false;

  private constructor(
    base: MachineState | null,
    { chart, account, id, at }: Omit<NewMachineStart, 'input'>,
    scope: StepTransactionDeps,
  ) {
    this.base = base;
    this.chart = chart;
    this.account = account;
    this.id = id;
    this.at = at;
    this.scope = scope;
    this.stepId = scope.mint();
    this.snapshot = base?.snapshot as MachineSnapshot;
    this.deferred = base?.deferred ?? null;
    this.revision = base?.revision ?? 0;
    this.state = base?.state ?? '';
    this.milestones = base?.milestones ?? NONE;
    this.agenda = base?.agenda ?? NONE;
    this.lastSeq = base?.lastSeq ?? {};
    this.attention = base?.attention ?? null;
    this.endedAt = base?.endedAt ?? null;
    this.jsonCache = base?.jsonCache ?? new Map();
  }

  /** A machine's first step. Throws what the chart throws: nothing was acknowledged yet. */
  static first(origin: NewMachineStart, scope: StepTransactionDeps): UncommittedMachineStep {
    const tx = new UncommittedMachineStep(null, origin, scope);
    tx.#start(origin.input);
    return tx;
  }

  /** A machine that is to be born later, by its next step. */
  static deferred(origin: NewMachineStart, scope: StepTransactionDeps): UncommittedMachineStep {
    const tx = new UncommittedMachineStep(null, origin, scope);
    tx.deferred = JSON.stringify(origin.input);
    tx.state = PENDING_MACHINE_STATE;
    tx.agenda = [deferredMachineStartTimer(origin.at)];
    tx.jsonCache = NO_PARTS;
    return tx;
  }

  /** The next step of a machine that stands. `settled`: effects known to be accepted, with nothing to tell. */
  static next(
    base: MachineState,
    at: number,
    scope: StepTransactionDeps,
    settled: readonly AcceptedEffect[],
  ): UncommittedMachineStep {
    const { chart, account, id } = base;
    const tx = new UncommittedMachineStep(base, { chart, account, id, at }, scope);
    for (const effect of settled) tx.endEffect(effect.id, 'accepted', effect.at);
    if (base.deferred) tx.#startDeferred(base.deferred);
    return tx;
  }

  /** Claims asked for from outside (a start's). */
  claim(key: string, until: number, answer: string | null): void {
    this.claims = [...this.claims, { key, until, answer }];
    this.claimants = new Map(this.claimants).set(key, null);
  }

  /** Amounts that go into balances, and with a start out of them. Throws `RangeError` for what is no whole amount. */
  book(bookings: readonly BalanceBooking[]): void {
    if (bookings.length === 0) return;
    const { at, scope } = this;
    const written = bookings.map(({ account, balance, amount, entry = null }) => {
      if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} cannot be booked`);
      return { id: scope.mint(), account, balance, amount, entry, at };
    });
    this.bookings = [...this.bookings, ...written];
  }

  /** A machine that a step starts, with those that its own first step starts. Throws what their charts throw. */
  startChild(kind: string, id: number, input: object): void {
    const { account, at, scope } = this;
    const chart = scope.chartOf(kind);
    const start = chart.kind.lowPriority ? UncommittedMachineStep.deferred : UncommittedMachineStep.first;
    const born = start({ chart, account, id, input, at }, scope);
    this.children = [...this.children, born, ...born.children];
    born.children = NONE;
  }

  /** The first entry it adds to the history, once all mail is taken. */
  get entry(): HistoryRow | undefined {
    return this.history[0];
  }

  /** Nothing changed and nothing was heard: there is no write. */
  get idle(): boolean {
    return !this.#dirty && this.consumedInbox.length === 0;
  }

  #start(input: object): void {
    this.revision += 1;
    this.#advance(this.chart.begin({ ...input, at: this.at, id: this.id }), 'started', input);
  }

  /** Its first step, taken late. One that fails is tried again when the machine next hears of something. */
  #startDeferred(pending: string): void {
    const { revision } = this;
    const input = JSON.parse(pending) as object;
    this.agenda = NONE;
    this.jsonCache = new Map();
    try {
      this.#start(input);
      this.deferred = null;
    } catch (error) {
      this.revision = revision;
      this.fail({ ...input, type: 'started' }, error);
    }
  }

  /** The chart hears of a fact, each once. Never throws: a chart that does is recorded as failed. */
  hear(event: MachineEvent): void {
    if (this.isRepeat(event)) return;
    try {
      const stepped = this.chart.step(this.snapshot, { ...event, at: this.at });
      if (stepped.snapshot === this.snapshot && stepped.requests.length === 0) return;
      this.revision += 1;
      this.#advance(stepped, event.type, event);
    } catch (error) {
      this.fail(event, error);
    }
  }

  /** Whether a fact of a numbered source was heard before; it counts as heard now. */
  isRepeat(event: MachineEvent): boolean {
    const seq = event['seq'];
    if (typeof seq !== 'number') return false;
    const source = typeof event['source'] === 'string' ? event['source'] : '';
    if (seq <= (this.lastSeq[source] ?? -1)) return true;
    this.lastSeq = { ...this.lastSeq, [source]: seq };
    return false;
  }

  /** Takes the next snapshot and everything it asks for; all or, when a request is impossible, nothing. */
  #advance({ snapshot, requests, taken }: StepResult, event: string, payload: object): void {
    const asked = requests.length === 0 ? '' : applyStepRequests(this, requests);
    this.snapshot = snapshot;
    this.state = dottedStateName(snapshot.value);
    this.#addHistory(event, payload, asked, taken.join(' '));
  }

  /** Takes an effect off the agenda; undefined: it was not owed. */
  removeEffect(id: string): PendingEffectEntry | undefined {
    const entry = findPendingEffect(this.agenda, id);
    if (entry) this.remove(entry);
    return entry;
  }

  /** Takes an effect off the agenda that ended at `at`, epoch milliseconds; undefined: it was not owed. */
  endEffect(id: string, outcome: EffectOutcome['outcome'], at: number): PendingEffectEntry | undefined {
    const entry = this.removeEffect(id);
    if (!entry) return undefined;
    const { name, tries, wait, due } = entry;
    const ms = wait ? null : Math.max(0, at - effectBegunAt(this, name, due));
    this.#ended = [...this.#ended, { id, name, outcome, tries, ms }];
    return entry;
  }

  remove(entry: TimerOrPendingEffect): void {
    this.setAgenda(this.agenda.filter((other) => other !== entry));
  }

  /** Changes what is said of an effect that is owed; undefined: it is not. */
  amend(
    id: string,
    change: (entry: PendingEffectEntry) => PendingEffectEntry,
  ): PendingEffectEntry | undefined {
    const entry = findPendingEffect(this.agenda, id);
    if (!entry) return undefined;
    const changed = change(entry);
    this.setAgenda(this.agenda.map((other) => (other === entry ? changed : other)));
    return changed;
  }

  /** Another agenda, though the chart heard of nothing. */
  setAgenda(agenda: readonly TimerOrPendingEffect[]): void {
    this.agenda = agenda;
    this.#dirty = true;
  }

  /** The guards of the step that asked for an effect wait as much longer as it came late. */
  delayGuards({ rev }: PendingEffectEntry, ms: number): void {
    if (ms > 0) this.agenda = postponeGuardTimers(this.agenda, rev, ms);
  }

  /** The chart broke, or cannot hear of it: an operator is told. */
  fail(event: MachineEvent, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.attention = `${event.type}: ${message}`.slice(0, FAILURE_LENGTH);
    this.revision += 1;
    this.#addHistory(event.type, event, `failed: ${message}`.slice(0, FAILURE_LENGTH), '');
  }

  #addHistory(event: string, payload: object, asked: string, taken: string): void {
    this.#dirty = true;
    const { revision, at, state } = this;
    const entry = { revision, at, event, payload: this.#payloadOf(payload), state, asked, taken };
    this.history = this.history.length === 0 ? [entry] : [...this.history, entry];
  }

  /** What the event told, and how effects ended before it. */
  #payloadOf(payload: object): string {
    if (this.#ended.length === 0) return JSON.stringify(payload);
    const text = JSON.stringify({ ...payload, [ENDED_EFFECTS_FIELD]: this.#ended });
    this.#ended = NONE;
    return text;
  }
}
