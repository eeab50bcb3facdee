/**
 * One write in the making: a machine's committed state, the mail that waits for it, and what comes of it.
 * Pure: nothing here touches the store or the world. The lane commits it (`write.ts`); only then is it true.
 *
 * Its lists are replaced, never written to: most stay empty, and a step that fails is undone by putting them back.
 */
import type { Booking, ChartEvent } from '../../machines/effect.ts';
import { owedEffect, withLaterGuards, type AgendaEntry, type EffectEntry } from './agenda.ts';
import { dotted, type Chart, type Request } from './chart.ts';
import type { Committed } from './committed.ts';
import type { ContextParts } from './contextText.ts';
import type { Mail } from './mail.ts';
import { grant, lostAt } from './requests.ts';
import type { BookingWrite, ClaimWrite, HistoryRow, InboxRow } from './store.ts';
import type { Snapshot } from './stepper.ts';
import { birthDue, UNBORN } from './unborn.ts';

/** What a draft needs of the engine around it. */
export interface DraftScope {
  shard: string;
  heldBy: number;
  /** Milliseconds after which another node may doubt this one. */
  graceMs: number;
  mint: () => number;
  /** The current chart of a kind, for machines started by a step. */
  chartOf: (kind: string) => Chart;
}

const NONE: readonly never[] = [];
/** Of all that are unborn. */
const NO_PARTS: ContextParts = new Map();
const NO_CLAIMANTS: ReadonlyMap<string, Mail | null> = new Map();
/** Characters of a failure that are kept. */
const FAILURE_LENGTH = 500;
/** A machine that was taken up hears what it missed in this part of a grace time: no timer of its own fires before. */
const HEARING = 0.5;

export class Draft {
  readonly base: Committed | null;
  readonly chart: Chart;
  readonly account: number;
  readonly id: number;
  readonly at: number;
  readonly stepId: number;
  readonly scope: DraftScope;

  /** Of one that is unborn: nothing. */
  snapshot: Snapshot;
  /** What it is to be born with, as JSON; null: it is born. */
  unborn: string | null;
  revision: number;
  state: string;
  milestones: readonly string[];
  agenda: readonly AgendaEntry[];
  seen: Readonly<Record<string, number>>;
  attention: string | null;
  endedAt: number | null;
  /** The record's living values, when they were looked at and changed. */
  life: readonly unknown[] | null = null;
  parts: ContextParts;
  /** Effects to perform once this is committed. */
  begins: readonly EffectEntry[] = NONE;
  /** Machines started by this step, and by their own first steps; written in the same commit. */
  births: readonly Draft[] = NONE;
  tells: readonly InboxRow[] = NONE;
  /** Milestones newly passed. */
  reached: readonly string[] = NONE;
  claims: readonly ClaimWrite[] = NONE;
  releases: readonly string[] = NONE;
  bookings: readonly BookingWrite[] = NONE;
  /** The mail that asked for a claim, by key: a lost claim undoes it. */
  claimants: ReadonlyMap<string, Mail | null> = NO_CLAIMANTS;
  history: readonly HistoryRow[] = NONE;
  /** Inbox rows that its mail was. */
  heard: readonly number[] = NONE;
  /** The mail being taken. */
  mail: Mail | null = null;
  #dirty = false;

  private constructor(
    base: Committed | null,
    chart: Chart,
    account: number,
    id: number,
    at: number,
    scope: DraftScope,
  ) {
    this.base = base;
    this.chart = chart;
    this.account = account;
    this.id = id;
    this.at = at;
    this.scope = scope;
    this.stepId = scope.mint();
    this.snapshot = base?.snapshot as Snapshot;
    this.unborn = base?.unborn ?? null;
    this.revision = base?.revision ?? 0;
    this.state = base?.state ?? '';
    this.milestones = base?.milestones ?? NONE;
    this.agenda = base?.agenda ?? NONE;
    this.seen = base?.seen ?? {};
    this.attention = base?.attention ?? null;
    this.endedAt = base?.endedAt ?? null;
    this.parts = base?.parts ?? new Map();
  }

  /** A machine's first step. Throws what the chart throws: nothing was acknowledged yet. */
  static birth(
    chart: Chart,
    account: number,
    id: number,
    input: object,
    at: number,
    scope: DraftScope,
  ): Draft {
    const draft = new Draft(null, chart, account, id, at, scope);
    draft.#bear(input);
    return draft;
  }

  /** A machine that is to be born later, by its next step. */
  static unborn(
    chart: Chart,
    account: number,
    id: number,
    input: object,
    at: number,
    scope: DraftScope,
  ): Draft {
    const draft = new Draft(null, chart, account, id, at, scope);
    draft.unborn = JSON.stringify(input);
    draft.state = UNBORN;
    draft.agenda = [birthDue(at)];
    draft.parts = NO_PARTS;
    return draft;
  }

  /** The next step of a machine that stands. `settled`: effects known to be accepted, with nothing to tell. */
  static next(base: Committed, at: number, scope: DraftScope, settled: readonly string[]): Draft {
    const draft = new Draft(base, base.chart, base.account, base.id, at, scope);
    for (const effect of settled) draft.#strike(effect);
    if (base.unborn) draft.#comeToLife(base.unborn);
    return draft;
  }

  /** Takes one piece of mail. Never throws: a chart that does is recorded as failed. */
  take(mail: Mail): void {
    this.mail = mail;
    if (this.unborn) {
      this.#putBy(mail);
      return;
    }
    switch (mail.what) {
      case 'event':
        if (mail.inbox !== undefined) this.heard = [...this.heard, mail.inbox];
        this.#hear(mail.event);
        return;
      case 'accepted':
        this.#confirm(mail);
        return;
      case 'timer':
        this.#fire(mail.id, mail.rev);
        return;
      case 'failed':
        this.#refused(mail);
        return;
      case 'unknown':
        this.#doubt(mail.effect);
        return;
      case 'again':
        this.#postpone(mail);
        return;
      case 'begin':
        if (this.#mayBegin(mail)) this.#begin(mail.effect);
        return;
      case 'lost':
        this.#recover(mail.effect);
        return;
      case 'takenUp':
        this.#takeOver(mail.upTo);
        return;
      case 'broken':
        this.heard = [...this.heard, ...mail.heard];
        this.#fail({ type: mail.event }, new Error(mail.message));
        return;
      case 'claimRefused':
        this.#putBy(mail.asked);
        this.#hear({ type: 'claimRefused', key: mail.key, owner: mail.owner });
    }
  }

  /** Mail whose step was undone: it is not heard, and does not come again. */
  #putBy(mail: Mail): void {
    switch (mail.what) {
      case 'event':
        if (mail.inbox !== undefined) this.heard = [...this.heard, mail.inbox];
        this.#isRepeat(mail.event);
        return;
      case 'accepted':
      case 'failed':
      case 'unknown':
        this.#strike(mail.effect);
        return;
      case 'timer':
        this.agenda = this.agenda.filter((entry) => entry.id !== mail.id || entry.rev !== mail.rev);
        this.#dirty = true;
        return;
      case 'claimRefused':
        this.#putBy(mail.asked);
        return;
      default:
    }
  }

  /** Claims asked for from outside (a start's). */
  claim(key: string, until: number, answer: string | null): void {
    this.claims = [...this.claims, { key, until, answer }];
    this.claimants = new Map(this.claimants).set(key, null);
  }

  /** Amounts that go into purses, and with a start out of them. Throws `RangeError` for what is no whole amount. */
  book(bookings: readonly Booking[]): void {
    if (bookings.length === 0) return;
    const { at, scope } = this;
    const written = bookings.map(({ account, purse, amount, entry = null }) => {
      if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} cannot be booked`);
      return { id: scope.mint(), account, purse, amount, entry, at };
    });
    this.bookings = [...this.bookings, ...written];
  }

  /** A machine that a step starts, with those that its own first step starts. Throws what their charts throw. */
  bear(kind: string, id: number, input: object): void {
    const { account, at, scope } = this;
    const chart = scope.chartOf(kind);
    const start = chart.kind.patient ? Draft.unborn : Draft.birth;
    const born = start(chart, account, id, input, at, scope);
    this.births = [...this.births, born, ...born.births];
    born.births = NONE;
  }

  /** The first entry it adds to the history, once all mail is taken. */
  get entry(): HistoryRow | undefined {
    return this.history[0];
  }

  /** Nothing changed and nothing was heard: there is no write. */
  get idle(): boolean {
    return !this.#dirty && this.heard.length === 0;
  }

  #bear(input: object): void {
    this.revision += 1;
    const { snapshot, requests } = this.chart.begin({ ...input, at: this.at, id: this.id });
    this.#advance(snapshot, requests, 'born', input);
  }

  /** Its first step, taken late. One that fails is tried again when the machine next hears of something. */
  #comeToLife(unborn: string): void {
    const { revision } = this;
    const input = JSON.parse(unborn) as object;
    this.agenda = NONE;
    this.parts = new Map();
    try {
      this.#bear(input);
      this.unborn = null;
    } catch (error) {
      this.revision = revision;
      this.#fail({ ...input, type: 'born' }, error);
    }
  }

  #hear(event: ChartEvent): void {
    if (this.#isRepeat(event)) return;
    try {
      const { snapshot, requests } = this.chart.step(this.snapshot, { ...event, at: this.at });
      if (snapshot === this.snapshot && requests.length === 0) return;
      this.revision += 1;
      this.#advance(snapshot, requests, event.type, event);
    } catch (error) {
      this.#fail(event, error);
    }
  }

  #isRepeat(event: ChartEvent): boolean {
    const seq = event['seq'];
    if (typeof seq !== 'number') return false;
    const source = typeof event['source'] === 'string' ? event['source'] : '';
    if (seq <= (this.seen[source] ?? -1)) return true;
    this.seen = { ...this.seen, [source]: seq };
    return false;
  }

  /** Takes the next snapshot and everything it asks for; all or, when a request is impossible, nothing. */
  #advance(snapshot: Snapshot, requests: readonly Request[], event: string, payload: object): void {
    const asked = requests.length === 0 ? '' : grant(this, requests);
    this.snapshot = snapshot;
    this.state = dotted(snapshot.value);
    this.#note(event, payload, asked);
  }

  #fire(id: string, rev: number): void {
    const entry = this.agenda.find((one) => one.t === 'timer' && one.id === id && one.rev === rev);
    // One that was put off since comes again.
    if (entry?.t !== 'timer' || entry.due > this.at) return;
    this.#remove(entry);
    this.#hear({ type: entry.event ?? entry.id });
  }

  #strike(id: string): EffectEntry | undefined {
    const entry = owedEffect(this.agenda, id);
    if (entry) this.#remove(entry);
    return entry;
  }

  #remove(entry: AgendaEntry): void {
    this.agenda = this.agenda.filter((other) => other !== entry);
    this.#dirty = true;
  }

  #amend(id: string, change: (entry: EffectEntry) => EffectEntry): EffectEntry | undefined {
    const entry = owedEffect(this.agenda, id);
    if (!entry) return undefined;
    const changed = change(entry);
    this.agenda = this.agenda.map((other) => (other === entry ? changed : other));
    this.#dirty = true;
    return changed;
  }

  /** Told twice, it begins once. What is begun at most once is not begun beside itself, whoever asks. */
  #mayBegin({ effect, tries }: Mail & { what: 'begin' }): boolean {
    const entry = owedEffect(this.agenda, effect);
    if (!entry) return false;
    if (tries !== undefined) return entry.tries === tries;
    return entry.wait === true || this.chart.kind.effects[entry.name]?.delivery !== 'atMostOnce';
  }

  #begin(id: string): void {
    const owed = owedEffect(this.agenda, id);
    const begun = this.#amend(id, ({ wait: _wait, ...entry }) => ({
      ...entry,
      tries: entry.tries + 1,
      due: lostAt(this, entry.name),
    }));
    if (!owed || !begun) return;
    this.begins = [...this.begins, begun];
    // Nobody said "later" to it: the time since it was begun last is lost.
    if (!owed.wait) this.#delayGuards(owed, begun.due - owed.due);
  }

  #confirm({ effect, facts, lateMs = 0 }: Mail & { what: 'accepted' }): void {
    const entry = this.#strike(effect);
    if (!entry) return;
    this.#delayGuards(entry, lateMs);
    for (const fact of facts) this.#hear(fact);
  }

  /** It is tried again later. */
  #postpone({ effect, delayMs, lateMs = 0 }: Mail & { what: 'again' }): void {
    const entry = this.#amend(effect, (owed) => ({ ...owed, wait: true, due: this.at + delayMs }));
    if (entry) this.#delayGuards(entry, lateMs);
  }

  /** The guards of the step that asked for an effect wait as much longer as it came late. */
  #delayGuards({ rev }: EffectEntry, ms: number): void {
    if (ms > 0) this.agenda = withLaterGuards(this.agenda, rev, ms);
  }

  /** The provider said no, or tries are used up. */
  #refused(mail: Mail & { what: 'failed' }): void {
    const entry = this.#strike(mail.effect);
    if (!entry) return;
    const { reason, message } = mail;
    if (mail.attention) this.attention = `${entry.name}: ${message}`.slice(0, FAILURE_LENGTH);
    this.#hear({ type: `${entry.name}Failed`, params: entry.params, reason, message });
  }

  #doubt(id: string): void {
    const entry = this.#strike(id);
    if (entry) this.#hear({ type: 'outcomeUnknown', effect: entry.name, params: entry.params });
  }

  /** Begun, with no outcome: repeated if that does no harm, else reported as unknown. */
  #recover(id: string): void {
    const entry = owedEffect(this.agenda, id);
    if (!entry) return;
    if (this.chart.kind.effects[entry.name]?.delivery === 'atMostOnce') this.#doubt(id);
    else this.#begin(id);
  }

  #takeOver(upTo: number): void {
    for (const entry of this.agenda) {
      if (entry.t === 'timer' || entry.wait || entry.rev > upTo) continue;
      this.#recover(entry.id);
    }
    if (!this.snapshot.hasTag('adoptable')) return;
    this.#putOffTimers(this.at + HEARING * this.scope.graceMs);
    this.#hear({ type: 'takenUp' });
  }

  /** What ran out while nobody held the machine is not to end what is told of that time only now. */
  #putOffTimers(until: number): void {
    this.agenda = this.agenda.map((entry) =>
      entry.t === 'timer' && entry.due < until ? { ...entry, due: until } : entry,
    );
    this.#dirty = true;
  }

  #fail(event: ChartEvent, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.attention = `${event.type}: ${message}`.slice(0, FAILURE_LENGTH);
    this.revision += 1;
    this.#note(event.type, event, `failed: ${message}`.slice(0, FAILURE_LENGTH));
  }

  #note(event: string, payload: object, asked: string): void {
    this.#dirty = true;
    const { revision, at, state } = this;
    const entry = { revision, at, event, payload: JSON.stringify(payload), state, asked };
    this.history = this.history.length === 0 ? [entry] : [...this.history, entry];
  }
}
