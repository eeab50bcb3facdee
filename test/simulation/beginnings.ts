/**
 * Looks at every effect as it begins: whether it may begin at all, and whether it is under way already. And at every
 * outcome that is said to be unknown: whether there is any doubt.
 */
import type {
  TimerOrPendingEffect,
  PendingEffectEntry,
} from '../../src/engine/contract/timersAndPendingEffects.ts';
import type { EffectPerformers } from '../../src/engine/contract/ports.ts';
import type { EffectCall, EffectResult, EffectPerformer } from '../../src/engine/contract/performer.ts';
import type { Book } from './book.ts';
import type { Before, Database } from './database.ts';
import type { Journals } from './journals.ts';
import type { Lateness } from './lateness.ts';
import type { Life } from './life.ts';
import { GRACE_MS, SHARD } from './plan.ts';
import type { Retries } from './retries.ts';
import type { World } from './world.ts';
import type { HistoryRow, MachineWrite } from '../../src/engine/contract/rows.ts';

/** A heartbeat may be this much older than its node reckons: clocks do not run alike. */
const CLOCKS_MS = 50;
/** A machine that slept for less than this does not notice it. */
const UNNOTICED_MS = GRACE_MS / 10;
/** What is looked at in its own moment may come a moment later. */
const MARGIN_MS = 500;
/** One who runs, and whose database answers, has begun what it owes after so long. */
const BEGUN_MS = 15_000;

export interface BeginningsScope {
  world: World;
  book: Book;
  database: Database;
  lateness: Lateness;
  retries: Retries;
  journals: Journals;
  /** The process that has this incarnation, while it lives. */
  lifeOf(incarnation: number): Life | undefined;
}

interface Running {
  life: Life;
  incarnation: number;
  call: EffectCall;
}

export class Beginnings {
  readonly #scope: BeginningsScope;
  /** By the effect's id. */
  readonly #running = new Map<string, Running>();
  readonly #begun = new Set<string>();

  constructor(scope: BeginningsScope) {
    this.#scope = scope;
  }

  /** The performers of one process, each of its effects looked at as it begins. */
  watched(life: Life, performers: object): EffectPerformers {
    return Object.fromEntries(
      Object.entries(performers as Record<string, EffectPerformer>).map(
        ([name, perform]): [string, EffectPerformer] => [name, (call) => this.#begin(life, perform, call)],
      ),
    );
  }

  #begin(life: Life, perform: EffectPerformer, call: EffectCall): Promise<EffectResult | void> {
    const { book } = this.#scope;
    if (!life.alive) return new Promise(() => {});
    book.note(`${life.name} begins ${call.name} ${call.id} ${call.attempt}`, call.machine.id);
    if (!life.paused) this.#judge(life, call);
    const running = { life, incarnation: life.incarnation, call };
    this.#running.set(call.id, running);
    this.#begun.add(call.id);
    const performed = perform(call);
    const ends = (): void => {
      if (this.#running.get(call.id) === running) this.#running.delete(call.id);
    };
    const accepted = (): void => {
      ends();
      this.#expectWrittenOff(running);
    };
    performed.then(accepted, () => {
      ends();
      this.#scope.retries.fails(call, running.incarnation);
    });
    return performed;
  }

  /** What was accepted is soon owed no more: else it is doubted when its node dies. */
  #expectWrittenOff({ life, incarnation, call }: Running): void {
    const { world, database, lateness } = this.#scope;
    const kind = database.born.get(call.machine.id)?.kind;
    const forMs = lateness.writtenOffWithin(kind) + MARGIN_MS;
    world.after(forMs, () => {
      if (!life.alive || life.incarnation !== incarnation) return;
      if (this.#owes(incarnation, call)) lateness.stillOwed(call.machine.id, kind, forMs);
    });
  }

  /** Whether this incarnation holds the machine, and its row owes this try of the effect. */
  #owes(incarnation: number, { id, attempt, machine }: EffectCall): boolean {
    const row = this.#scope.database.tables.machines.get(machine.id);
    return (
      row?.heldBy === incarnation &&
      (JSON.parse(row.agenda) as TimerOrPendingEffect[]).some(
        (entry) => entry.t === 'effect' && idOf(machine, entry) === id && entry.tries === attempt,
      )
    );
  }

  /** An effect begins only while its row is this node's and owes it, its node is known to live, and once at a time. */
  #judge(life: Life, call: EffectCall): void {
    const { world, book, database, lateness, retries } = this.#scope;
    const { id } = call.machine;
    const row = database.tables.machines.get(id);
    const isOwed = (JSON.parse(row?.agenda ?? '[]') as TimerOrPendingEffect[]).some(
      (entry) =>
        entry.t === 'effect' && idOf(call.machine, entry) === call.id && entry.tries === call.attempt,
    );
    if (this.#isForgotten(call)) book.count('effects begun that the database has forgotten');
    else if (!isOwed || row?.heldBy !== life.incarnation)
      book.violated(
        'begun late',
        id,
        `${call.name} ${call.id} by ${life.incarnation}; the row is ${row?.heldBy}'s at ${row?.revision}${isOwed ? '' : ' and does not owe it'}`,
      );
    this.#judgeKept(life, call);
    const age = world.now - life.beatenAt;
    if (age > GRACE_MS / 2 + CLOCKS_MS + life.unnoticed(UNNOTICED_MS))
      book.violated(
        'begun unsure',
        id,
        `${call.name}: the last heartbeat was sent ${Math.round(age)} ms before`,
      );
    const other = this.#running.get(call.id);
    if (other && this.#isUnderWay(other, life.incarnation))
      book.violated('begun beside itself', id, `${call.name} ${call.id} is under way in ${life.name}`);
    retries.begins(call, life.incarnation);
    if (call.attempt === 1) lateness.begins(id, database.steps.writtenAt(id, revisionOf(call.id)));
  }

  /** What asked for it, or tries it again, was written and kept, and the database went back since: it will be written again. */
  #isForgotten({ id: effect, machine: { id } }: EffectCall): boolean {
    const { database, journals } = this.#scope;
    const stands = database.tables.machines.get(id)?.revision ?? 0;
    const latest = database.steps.latestOf(id);
    const steps = [
      { revision: revisionOf(effect), stepId: database.steps.stepOf(id, revisionOf(effect)) },
      latest,
    ];
    return steps.some(
      (step) => step?.stepId !== undefined && step.revision > stands && journals.keeps(step.stepId),
    );
  }

  /** Its commit is in the journal of whoever sent it, before anything follows from it. */
  #judgeKept(life: Life, { name, id: effect, machine: { id } }: EffectCall): void {
    const { book, database, journals } = this.#scope;
    const stepId = database.steps.stepOf(id, revisionOf(effect));
    if (stepId === undefined || journals.keeps(stepId)) return;
    const by = database.steps.writtenBy(id, revisionOf(effect));
    if (by === life.incarnation) book.violated('begun unkept', id, `${name} ${effect}: no journal has it`);
    else book.count('effects begun that no journal has');
  }

  #isUnderWay({ life, incarnation, call }: Running, by: number): boolean {
    return life.alive && incarnation === by && life.incarnation === by && !call.signal.aborted;
  }

  /** A step has landed. */
  landed(write: MachineWrite, before: Before): void {
    for (const entry of write.history)
      if (entry.event === 'outcomeUnknown') this.#judgeDoubt(write, before, entry);
  }

  /** What its own process has under way is in no doubt; and what could be begun in time was. */
  #judgeDoubt(write: MachineWrite, before: Before, { payload }: HistoryRow): void {
    const { book, database } = this.#scope;
    const doubted = JSON.parse(payload!) as { effect: string; params: object };
    const params = JSON.stringify(doubted.params);
    const entry = (JSON.parse(before.agenda) as TimerOrPendingEffect[]).find(
      (one): one is PendingEffectEntry =>
        one.t === 'effect' && one.name === doubted.effect && JSON.stringify(one.params) === params,
    );
    if (!entry) return;
    const { heldBy } = write.row;
    const id = idOf({ shard: SHARD, account: write.account, id: write.id }, entry);
    const running = this.#running.get(id);
    if (running && this.#isUnderWay(running, heldBy))
      book.violated(
        'doubted under way',
        write.id,
        `${entry.name} ${id} is under way in ${running.life.name}`,
      );
    if (this.#begun.has(id) || database.steps.writtenBy(write.id, entry.rev) !== heldBy) return;
    const idleMs = this.#couldBegin(heldBy, database.steps.writtenAt(write.id, entry.rev));
    if (idleMs > BEGUN_MS)
      book.violated('never begun', write.id, `${entry.name} ${id} could begin for ${Math.round(idleMs)} ms`);
  }

  /** For how long nothing has kept this node from beginning what it owes since then. */
  #couldBegin(incarnation: number, since: number): number {
    const { world, database, lifeOf } = this.#scope;
    const life = lifeOf(incarnation);
    return life
      ? world.now -
          Math.max(
            since,
            life.pausedUntil,
            database.awayUntil,
            database.refusesUntil,
            database.openTime.since,
          )
      : 0;
  }
}

const idOf = (
  { shard, account, id }: { shard: string; account: number; id: number },
  entry: { id: string },
): string => `${shard}.${account}.${id}.${entry.id}`;

/** The revision that asked for the effect. */
const revisionOf = (effect: string): number => Number(effect.split('.')[3]);
