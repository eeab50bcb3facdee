/**
 * One write in the making: a machine's committed state, the mail that waits for it, and what comes of it.
 * Pure: nothing here touches the store or the world. The lane commits it; only then is it true.
 */
import type { AnyMachineSnapshot } from 'xstate';
import type { ChartEvent } from '../../machines/effect.ts';
import { AGENDA_LIMIT, earliest, type AgendaEntry, type EffectEntry } from './agenda.ts';
import { dotted, type Chart, type Request } from './chart.ts';
import { contextText, type ContextParts } from './contextText.ts';
import type { Mail } from './mail.ts';
import type { ClaimWrite, HistoryRow, InboxRow, RecordWrite, Write } from './store.ts';

/** A machine as it stands in the store, in live form. */
export interface Committed {
  account: number;
  id: number;
  chart: Chart;
  revision: number;
  snapshot: AnyMachineSnapshot;
  state: string;
  milestones: readonly string[];
  agenda: readonly AgendaEntry[];
  /** Highest `seq` heard, by source. */
  seen: Readonly<Record<string, number>>;
  /** The record's living values as last written. */
  life: readonly unknown[] | null;
  /** Texts of the context's groups as last written. */
  parts: ContextParts;
  attention: string | null;
  createdAt: number;
  endedAt: number | null;
}

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

const EPOCH_DAY_MS = 86_400_000;
/** The day a history entry belongs to: days since the epoch, UTC. */
export const dayOf = (at: number): number => Math.floor(at / EPOCH_DAY_MS);

const NO_CLAIMANTS: ReadonlyMap<string, Mail | null> = new Map();

export class Draft {
  readonly base: Committed | null;
  readonly chart: Chart;
  readonly account: number;
  readonly id: number;
  readonly at: number;
  readonly stepId: number;
  readonly scope: DraftScope;

  snapshot: AnyMachineSnapshot;
  revision: number;
  state: string;
  milestones: readonly string[];
  agenda: AgendaEntry[];
  seen: Readonly<Record<string, number>>;
  attention: string | null;
  /** Effects to perform once this is committed. */
  begins: EffectEntry[] = [];
  /** Machines started by this step; written in the same commit. */
  births: Draft[] = [];
  tells: InboxRow[] = [];
  /** The mail that asked for a claim, by key: a lost claim undoes it. */
  claimants: ReadonlyMap<string, Mail | null> = NO_CLAIMANTS;
  /** Milestones newly passed. */
  reached: string[] = [];
  life: readonly unknown[] | null = null;
  parts: ContextParts;
  endedAt: number | null;

  #dirty = false;
  #index = 0;
  #history: HistoryRow[] = [];
  #heard: number[] = [];
  #claims: ClaimWrite[] = [];
  #releases: string[] = [];
  #mail: Mail | null = null;

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
    this.snapshot = base?.snapshot as AnyMachineSnapshot;
    this.revision = base?.revision ?? 0;
    this.state = base?.state ?? '';
    this.milestones = base?.milestones ?? [];
    this.agenda = base ? [...base.agenda] : [];
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
    draft.revision = 1;
    const { snapshot, requests } = chart.begin({ ...input, at, id });
    draft.#advance(snapshot, requests, 'born', input);
    return draft;
  }

  /** The next step of a machine that stands. `settled`: effects known to be accepted, with nothing to tell. */
  static next(base: Committed, at: number, scope: DraftScope, settled: ReadonlySet<string>): Draft {
    const draft = new Draft(base, base.chart, base.account, base.id, at, scope);
    if (settled.size > 0) {
      const owed = draft.agenda.length;
      draft.agenda = draft.agenda.filter((entry) => entry.t === 'timer' || !settled.has(entry.id));
      draft.#dirty = draft.agenda.length !== owed;
    }
    return draft;
  }

  /** Takes one piece of mail. Never throws: a chart that does is recorded as failed. */
  take(mail: Mail): void {
    this.#mail = mail;
    switch (mail.what) {
      case 'event':
        if (mail.inbox !== undefined) this.#heard.push(mail.inbox);
        this.#hear(mail.event);
        return;
      case 'timer':
        this.#fire(mail.id, mail.rev);
        return;
      case 'accepted':
        if (this.#strike(mail.effect)) for (const fact of mail.facts) this.#hear(fact);
        return;
      case 'failed': {
        const entry = this.#strike(mail.effect);
        if (!entry) return;
        if (mail.attention) this.attention = `${entry.name}: ${mail.message}`.slice(0, 500);
        this.#hear({
          type: `${entry.name}Failed`,
          params: entry.params,
          reason: mail.reason,
          message: mail.message,
        });
        return;
      }
      case 'unknown':
        this.#doubt(mail.effect);
        return;
      case 'again':
        this.#amend(mail.effect, (entry) => ({ ...entry, wait: true, due: this.at + mail.delayMs }));
        return;
      case 'begin':
        this.#begin(mail.effect);
        return;
      case 'lost':
        this.#recover(mail.effect);
        return;
      case 'takenUp':
        this.#takeOver(mail.upTo);
        return;
      case 'broken':
        this.#heard.push(...mail.heard);
        this.#fail({ type: mail.event }, new Error(mail.message));
        return;
      case 'claimRefused':
        this.#hear({ type: 'claimRefused', key: mail.key, owner: mail.owner });
    }
  }

  /** Claims asked for from outside (a start's). */
  claim(key: string, until: number, answer: string | null): void {
    this.#claims.push({ key, until, answer });
    this.claimants = new Map(this.claimants).set(key, null);
  }

  /** The first entry it adds to the history, once all mail is taken. */
  get entry(): HistoryRow | undefined {
    return this.#history[0];
  }

  /** Nothing changed and nothing was heard: there is no write. */
  get idle(): boolean {
    return !this.#dirty && this.#heard.length === 0;
  }

  /** The write, once all mail is taken. */
  write(parent: number | null = null): Write {
    if (this.snapshot.status !== 'active' && this.agenda.some((entry) => entry.t === 'timer'))
      this.agenda = this.agenda.filter((entry) => entry.t === 'effect');
    if (this.snapshot.status !== 'active' && this.agenda.length === 0) this.endedAt ??= this.at;
    // What was begun and struck off again by a later piece of mail, or begun anew, is not to be performed.
    this.begins = this.begins.filter((entry) => this.agenda.includes(entry));
    // Confirmations and such take a revision too, so that the guard sees them.
    if (this.base && this.revision === this.base.revision) this.revision += 1;
    return {
      account: this.account,
      id: this.id,
      birth: this.base
        ? null
        : { kind: this.chart.kind.name, version: this.chart.version, createdAt: this.at },
      parent,
      guard: this.base?.revision ?? 0,
      row: {
        revision: this.revision,
        state: this.state,
        milestones: this.milestones.length === 0 ? '[]' : JSON.stringify(this.milestones),
        snapshot: this.#freeze(),
        agenda: this.agenda.length === 0 ? '[]' : JSON.stringify(this.agenda),
        wakeAt: earliest(this.agenda),
        heldBy: this.scope.heldBy,
        stepId: this.stepId,
        attention: this.attention,
        endedAt: this.endedAt,
      },
      history: this.#history,
      record: this.#record(),
      tells: this.tells,
      heard: this.#heard,
      claims: this.#claims,
      releases: this.#releases,
    };
  }

  /** The machine as it stands once the write is durable. */
  committed(): Committed {
    return {
      account: this.account,
      id: this.id,
      chart: this.chart,
      revision: this.revision,
      snapshot: this.snapshot,
      state: this.state,
      milestones: this.milestones,
      agenda: this.agenda,
      seen: this.seen,
      life: this.life ?? this.base?.life ?? null,
      parts: this.parts,
      attention: this.attention,
      createdAt: this.base?.createdAt ?? this.at,
      endedAt: this.endedAt,
    };
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
  #advance(snapshot: AnyMachineSnapshot, requests: Request[], event: string, payload: object): void {
    const asked: string[] = [];
    const undo = this.#mark();
    this.#index = 0;
    try {
      for (const request of requests) this.#request(request, asked);
      if (this.agenda.length > AGENDA_LIMIT)
        throw new Error(`more than ${AGENDA_LIMIT} entries on the agenda`);
    } catch (error) {
      undo();
      throw error;
    }
    this.snapshot = snapshot;
    this.state = dotted(snapshot.value);
    this.#note(event, JSON.stringify(payload), asked.length === 0 ? '' : asked.join(' '));
  }

  /** Remembers what requests add, to take it back when one of them is impossible. */
  #mark(): () => void {
    const { milestones } = this;
    const agenda = [...this.agenda];
    const [begins, births, tells] = [this.begins.length, this.births.length, this.tells.length];
    const [reached, claims, releases] = [this.reached.length, this.#claims.length, this.#releases.length];
    return () => {
      this.agenda = agenda;
      this.milestones = milestones;
      this.begins.length = begins;
      this.births.length = births;
      this.tells.length = tells;
      this.reached.length = reached;
      this.#claims.length = claims;
      this.#releases.length = releases;
    };
  }

  #request(request: Request, asked: string[]): void {
    switch (request.do) {
      case 'arm': {
        this.#disarm(request.timer);
        const entry: AgendaEntry = {
          t: 'timer',
          id: request.timer,
          rev: this.revision,
          due: this.at + request.delayMs,
        };
        if (request.event !== request.timer) entry.event = request.event;
        this.agenda.push(entry);
        asked.push(`${shortTimer(request.timer)}+${request.delayMs}`);
        return;
      }
      case 'disarm':
        this.#disarm(request.timer);
        return;
      case 'reach':
        if (this.milestones.includes(request.milestone)) return;
        this.milestones = [...this.milestones, request.milestone];
        this.reached.push(request.milestone);
        return;
      case 'tell':
        this.tells.push({
          account: this.account,
          machine: request.machine,
          id: this.scope.mint(),
          event: JSON.stringify(request.event),
          at: this.at,
        });
        asked.push(`tell:${request.event.type}@${request.machine}`);
        return;
      case 'startMachine':
        asked.push(`start:${request.kind}@${request.id}`);
        this.births.push(this.#bear(request));
        return;
      case 'claim':
        this.#claims.push({ key: request.key, until: request.untilMs, answer: null });
        this.claimants = new Map(this.claimants).set(request.key, this.#mail);
        return;
      case 'release':
        this.#releases.push(request.key);
        return;
      case 'effect':
        this.#owe(request.name, request.params);
        asked.push(request.name);
    }
  }

  #owe(name: string, params: Record<string, unknown>): void {
    const id = `${this.revision}.${this.#index++}`;
    const due = this.#lostAt(name);
    const entry: EffectEntry = { t: 'effect', id, name, params, rev: this.revision, tries: 1, due };
    this.agenda.push(entry);
    this.begins.push(entry);
  }

  #bear(request: { kind: string; id: number; input: object }): Draft {
    const chart = this.scope.chartOf(request.kind);
    return Draft.birth(chart, this.account, request.id, request.input, this.at, this.scope);
  }

  /** When the outcome of an effect begun now counts as lost. */
  #lostAt(name: string): number {
    return this.at + (this.chart.kind.effects[name]?.withinMs ?? 0) + this.scope.graceMs;
  }

  #disarm(timer: string): void {
    const at = this.agenda.findIndex((entry) => entry.t === 'timer' && entry.id === timer);
    if (at >= 0) this.agenda.splice(at, 1);
  }

  #fire(id: string, rev: number): void {
    const at = this.agenda.findIndex((entry) => entry.t === 'timer' && entry.id === id && entry.rev === rev);
    const entry = this.agenda[at];
    if (entry?.t !== 'timer') return;
    this.agenda.splice(at, 1);
    this.#dirty = true;
    this.#hear({ type: entry.event ?? entry.id });
  }

  #effect(id: string): EffectEntry | undefined {
    return this.agenda.find((entry): entry is EffectEntry => entry.t === 'effect' && entry.id === id);
  }

  #strike(id: string): EffectEntry | undefined {
    const entry = this.#effect(id);
    if (!entry) return undefined;
    this.agenda = this.agenda.filter((other) => other !== entry);
    this.#dirty = true;
    return entry;
  }

  #amend(id: string, change: (entry: EffectEntry) => EffectEntry): EffectEntry | undefined {
    const entry = this.#effect(id);
    if (!entry) return undefined;
    const changed = change(entry);
    this.agenda = this.agenda.map((other) => (other === entry ? changed : other));
    this.#dirty = true;
    return changed;
  }

  #begin(id: string): void {
    const begun = this.#amend(id, ({ wait: _wait, ...entry }) => ({
      ...entry,
      tries: entry.tries + 1,
      due: this.#lostAt(entry.name),
    }));
    if (begun) this.begins.push(begun);
  }

  #doubt(id: string): void {
    const entry = this.#strike(id);
    if (entry) this.#hear({ type: 'outcomeUnknown', effect: entry.name, params: entry.params });
  }

  /** Begun, with no outcome: repeated if that does no harm, else reported as unknown. */
  #recover(id: string): void {
    const entry = this.#effect(id);
    if (!entry) return;
    if (this.chart.kind.effects[entry.name]?.delivery === 'atMostOnce') this.#doubt(id);
    else this.#begin(id);
  }

  #takeOver(upTo: number): void {
    for (const entry of [...this.agenda]) {
      if (entry.t === 'timer' || entry.wait || entry.rev > upTo) continue;
      this.#recover(entry.id);
    }
    if (this.snapshot.hasTag('adoptable')) this.#hear({ type: 'takenUp' });
  }

  #fail(event: ChartEvent, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.attention = `${event.type}: ${message}`.slice(0, 500);
    this.revision += 1;
    this.#note(event.type, JSON.stringify(event), `failed: ${message}`.slice(0, 500));
  }

  #note(event: string, payload: string, asked: string): void {
    this.#dirty = true;
    this.#history.push({ revision: this.revision, at: this.at, event, payload, state: this.state, asked });
  }

  /** The lean snapshot as text: `v` value, `c` context, and where they say something `s` status, `h` history, `n` seen. */
  #freeze(): string {
    const { v, c, s, h } = this.chart.freeze(this.snapshot);
    const text = contextText(c, this.parts);
    const status = s === undefined ? '' : `,"s":${JSON.stringify(s)}`;
    const history = h === undefined ? '' : `,"h":${JSON.stringify(h)}`;
    const seen = isEmpty(this.seen) ? '' : `,"n":${JSON.stringify(this.seen)}`;
    return `{"v":${JSON.stringify(v)},"c":${text}${status}${history}${seen}}`;
  }

  /** The record's values, when they changed. */
  #record(): RecordWrite | null {
    const shape = this.chart.kind.record;
    if (!shape) return null;
    const values = shape.life(this.snapshot.context, this.state);
    const { living: columns } = this.chart.columns;
    const before = this.base?.life;
    if (before && columns.every((column, index) => values[column] === before[index])) return null;
    const living = columns.map((column) => values[column]);
    this.life = living;
    if (this.base) return { kind: this.chart.kind.name, born: null, living };
    const birth = shape.birth(this.snapshot.context, {
      shard: this.scope.shard,
      account: this.account,
      id: this.id,
    });
    return {
      kind: this.chart.kind.name,
      born: this.chart.columns.born.map((column) => birth[column]),
      living,
    };
  }
}

/** `xstate.after.ringTimeout.call.dialing` reads as `ringTimeout` in the history. */
const shortTimer = (id: string): string => /^xstate\.after\.([^.]+)\./.exec(id)?.[1] ?? id;

const isEmpty = (record: object): boolean => {
  for (const _key in record) return false;
  return true;
};
