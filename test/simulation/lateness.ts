/**
 * What comes late though nothing is amiss: timers, words from machine to machine, facts from the world, effects,
 * acceptances, and clearance. In calm time each of them takes milliseconds, and half a second where nobody hints.
 */
import type { Kind } from '../../src/engine/contract/kind.ts';
import type { TimerOrPendingEffect } from '../../src/engine/contract/timersAndPendingEffects.ts';
import { compileChart, type CompiledChart } from '../../src/engine/step/compileChart.ts';
import type { Book } from './book.ts';
import type { Calm } from './calm.ts';
import type { Before, Database } from './database.ts';
import type { Life } from './life.ts';
import { GRACE_MS } from './plan.ts';
import type { World } from './world.ts';
import type { HistoryRow, MachineInboxRow, MachineWrite } from '../../src/engine/contract/rows.ts';

/** Later than this is late. */
const LATE_MS = 2_000;
/** After a time in which it could not listen a process hears for so long before its timers judge. */
const HEARING_MS = GRACE_MS / 2;
/** Who did not open the shard learns of it with its next heartbeat. */
const LEARNT_MS = GRACE_MS / 5;
/** Machines of low-priority kinds may be put off for a minute. */
const PATIENT_MS = 65_000;
/** An acceptance that tells nothing may wait for so long for a step to go with. */
const LINGER_MS = 1_500;
/** A clearance desk that is not full answers within this. */
const DESK_MS = 3_000;

/** The mark of a fact, in its JSON. */
const MARK = /"mark":(\d+)/;
const CLEARED = new Set([
  'cleared',
  'postponed',
  'refused',
  'claimRefused',
  'attemptRevoked',
  'campaignOver',
]);

export interface LatenessScope {
  world: World;
  book: Book;
  calm: Calm;
  database: Database;
  kinds: readonly Kind[];
  /** Whether the carrier had no room for this call at some time. */
  wasFull(call: number): boolean;
}

/** A fact reached a process at that time, virtual milliseconds. */
interface Arrival {
  life: Pick<Life, 'alive'>;
  at: number;
}

export class Lateness {
  readonly #scope: LatenessScope;
  readonly #charts = new Map<string, CompiledChart>();
  /** When words were told, by inbox row, and when facts were left for other nodes' machines, by mark; virtual milliseconds. */
  readonly #told = new Map<number, number>();
  readonly #left = new Map<number, number>();
  /** Where facts arrived, by mark. */
  readonly #arrived = new Map<number, Arrival[]>();
  /** When calls asked for clearance. */
  readonly #asked = new Map<number, number>();

  constructor(scope: LatenessScope) {
    this.#scope = scope;
  }

  /** A fact reaches a process that runs. */
  arrives(mark: unknown, life: Pick<Life, 'alive'>): void {
    if (typeof mark !== 'number') return;
    const arrivals = this.#arrived.get(mark) ?? [];
    arrivals.push({ life, at: this.#scope.world.now });
    this.#arrived.set(mark, arrivals);
  }

  /** Rows stand in the inbox of a machine: what they say outlives the process that was told. */
  left(rows: readonly MachineInboxRow[]): void {
    for (const { event } of rows) {
      const mark = markOf(event);
      if (mark !== undefined && !this.#left.has(mark)) this.#left.set(mark, this.#scope.world.now);
    }
  }

  /** A step has landed. */
  landed(kind: string, write: MachineWrite, before: Before): void {
    const { now } = this.#scope.world;
    for (const { id } of write.tells) this.#told.set(id, now);
    const allowedMs = this.#isPatient(kind) ? PATIENT_MS : LATE_MS;
    for (const row of write.heard) {
      this.#judge('word', write.id, now - (this.#told.get(row) ?? now), allowedMs);
      this.#told.delete(row);
    }
    if (this.#scope.calm.lastsFor > 0) this.#judgeSteps(kind, write, before);
    if (kind === 'call') this.#judgeClearance(write);
  }

  /** An effect begins that was asked for at that time. */
  begins(machine: number, askedAt: number): void {
    this.#judge('effect', machine, this.#scope.world.now - askedAt, LATE_MS);
  }

  /** How long after its acceptance an effect of a machine of this kind must be written off, milliseconds. */
  writtenOffWithin(kind: string | undefined): number {
    return LINGER_MS + (this.#isPatient(kind) ? PATIENT_MS : LATE_MS);
  }

  /** An effect was accepted so long ago, and its machine still owes it. */
  stillOwed(machine: number, kind: string | undefined, forMs: number): void {
    this.#judge('acceptance', machine, forMs, this.writtenOffWithin(kind));
  }

  #isPatient(kind: string | undefined): boolean {
    return this.#scope.kinds.find(({ name }) => name === kind)?.lowPriority === true;
  }

  #judgeSteps(kind: string, { id, history }: MachineWrite, before: Before): void {
    const { now } = this.#scope.world;
    const allowedMs = this.#isPatient(kind) ? PATIENT_MS : LATE_MS;
    for (const { event, payload, at } of history) {
      const knownMs = now - this.#knownSince(markOf(payload ?? ''));
      if (knownMs > 0) this.#judge('fact', id, knownMs, LATE_MS);
      const due = dueOf(before.agenda, event);
      if (due === undefined) continue;
      const hears = this.isAdoptable(kind, before) ? HEARING_MS : 0;
      this.#judge('timer', id, at - due, allowedMs, { hears, name: `${kind} ${event}` });
    }
  }

  /**
   * Since when a fact of this mark could be heard: since it reached a process that lives still, or stands in the inbox. One that
   * ended with its process is looked up by its machine, no sooner than a timer asks for that. `Infinity`: it could not.
   */
  #knownSince(mark: number | undefined): number {
    if (mark === undefined) return Infinity;
    const alive = (this.#arrived.get(mark) ?? []).filter(({ life }) => life.alive);
    return Math.min(this.#left.get(mark) ?? Infinity, ...alive.map(({ at }) => at));
  }

  /** Whether a machine of this kind listens to the world in the state it stood in. */
  isAdoptable(kind: string, { version, state }: Before): boolean {
    const name = `${kind}:${version}`;
    let chart = this.#charts.get(name);
    if (!chart) {
      chart = compileChart(
        this.#scope.kinds.find((known) => known.name === kind)!,
        version,
      );
      this.#charts.set(name, chart);
    }
    return chart.isAdoptable(state);
  }

  /** From the question to the answer, whoever carries them; counted by account. */
  #judgeClearance({ id, account, history }: MachineWrite): void {
    const { now } = this.#scope.world;
    for (const row of history) {
      const asked = this.#asked.get(id);
      if (asked !== undefined && CLEARED.has(row.event)) {
        this.#asked.delete(id);
        this.#scope.book.count(`clearance ms ${account}`, now - asked);
        this.#scope.book.count(`clearance asked ${account}`);
        if (!this.#scope.wasFull(id)) this.#judge('clearance', id, now - asked, DESK_MS + 2 * LATE_MS);
      }
      if (asks(row)) this.#asked.set(id, now);
      // Taken up, it asks its campaign for another turn first.
      else if (row.event === 'takenOver' && row.state !== 'clearing') this.#asked.delete(id);
    }
  }

  /** Only what was late in calm time and on an open shard counts. `hears`: so long may pass before, once it is. */
  #judge(
    what: string,
    machine: number,
    lateMs: number,
    allowedMs: number,
    { hears = 0, name = '' }: { hears?: number; name?: string } = {},
  ): void {
    const { book, calm, database } = this.#scope;
    const late = Math.min(lateMs, Math.min(calm.lastsFor, database.openTime.unbrokenMs - LEARNT_MS) - hears);
    if (late <= 0) return;
    // Those that may be put off for a minute would hide how late the others are.
    book.most(`${what} late${allowedMs >= PATIENT_MS ? ' of low priority' : ''}`, late);
    if (late > allowedMs) book.violated('late', machine, `a ${what} by ${Math.round(late)} ms ${name}`);
  }
}

const markOf = (json: string): number | undefined => {
  const mark = MARK.exec(json)?.[1];
  return mark === undefined ? undefined : Number(mark);
};

const asks = ({ asked }: HistoryRow): boolean => asked.includes('requestClearance');

/** When the timer was due that fires as this event; undefined: no timer of that name was armed. */
const dueOf = (agenda: string, event: string): number | undefined => {
  if (!agenda.includes(event)) return undefined;
  for (const entry of JSON.parse(agenda) as TimerOrPendingEffect[])
    if (entry.t === 'timer' && (entry.event ?? entry.id) === event) return entry.due;
  return undefined;
};
