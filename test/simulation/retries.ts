/** Effects that are tried again: after half a second doubling to a minute, as often as their kind says, and no oftener. */
import type { Kind } from '../../src/engine/contract/kind.ts';
import type {
  TimerOrPendingEffect,
  PendingEffectEntry,
} from '../../src/engine/contract/timersAndPendingEffects.ts';
import type { EffectCall } from '../../src/engine/contract/performer.ts';
import type { Book } from './book.ts';
import type { Before, Database } from './database.ts';
import type { Life } from './life.ts';
import { SHARD } from './plan.ts';
import type { MachineWrite } from '../../src/engine/contract/rows.ts';

const FIRST_MS = 500;
const LONGEST_MS = 60_000;
const SPREAD = 1.2;
/** From the step to the moment at which it is written. */
const WRITTEN_MS = 1_000;
/** Tries of an effect whose kind does not say how many. */
const TRIES = 5;

export interface RetriesScope {
  book: Book;
  kinds: readonly Kind[];
  database: Database;
  lifeOf(incarnation: number): Life | undefined;
}

export class Retries {
  readonly #scope: RetriesScope;
  /** By effect: who heard which try fail last. */
  readonly #failed = new Map<string, string>();

  constructor(scope: RetriesScope) {
    this.#scope = scope;
  }

  /** An effect begins in this incarnation, which may have heard that the try before it failed. */
  begins({ id: effect, name, attempt, machine: { id } }: EffectCall, by: number): void {
    const { book, database } = this.#scope;
    const allowed = this.#triesOf(database.born.get(id)?.kind, name);
    if (attempt > allowed && this.#failed.get(effect) === `${by} ${attempt - 1}`)
      book.violated('tried too often', id, `${name} for the ${attempt}th time of ${allowed}`);
  }

  /** This incarnation hears that a try failed. */
  fails({ id: effect, attempt }: EffectCall, by: number): void {
    this.#failed.set(effect, `${by} ${attempt}`);
  }

  /** A step has landed. */
  landed(kind: string, write: MachineWrite, before: Before): void {
    // What the database refuses is put off for longer.
    if (write.history.some(({ asked }) => asked.startsWith('failed:'))) return;
    if (write.row.agenda.includes('"wait":true')) this.#judgePauses(write, before);
    for (const { payload } of write.history)
      if (payload?.includes('"triesUsedUp"')) this.#judgeEnd(kind, write.id, before, payload);
  }

  #judgePauses({ id, row }: MachineWrite, before: Before): void {
    const now = this.#scope.lifeOf(row.heldBy)?.engine?.now(SHARD);
    if (now === undefined) return;
    const known = new Map(effectsOf(before.agenda).map((entry) => [entry.id, entry.due]));
    for (const entry of effectsOf(row.agenda)) {
      if (!entry.wait || known.get(entry.id) === entry.due) continue;
      const most = SPREAD * Math.min(LONGEST_MS, FIRST_MS * 2 ** (entry.tries - 1));
      if (entry.due - now > most + WRITTEN_MS)
        this.#scope.book.violated('retried late', id, `${entry.name} waits for ${entry.due - now} ms`);
    }
  }

  #judgeEnd(kind: string, id: number, { agenda }: Before, payload: string): void {
    const { type, params, reason } = JSON.parse(payload) as { type: string; params: object; reason: string };
    if (reason !== 'triesUsedUp') return;
    const failed = JSON.stringify(params);
    // A chart that was taken up twice may have asked for the same twice.
    const [entry] = effectsOf(agenda)
      .filter((one) => `${one.name}Failed` === type && JSON.stringify(one.params) === failed)
      .toSorted((one, other) => other.tries - one.tries);
    const allowed = this.#triesOf(kind, entry?.name);
    if (entry && entry.tries < allowed)
      this.#scope.book.violated(
        'given up early',
        id,
        `${entry.name} after ${entry.tries} of ${allowed} tries`,
      );
  }

  #triesOf(kind: string | undefined, effect: string | undefined): number {
    const terms = this.#scope.kinds.find(({ name }) => name === kind)?.effects[effect ?? ''];
    return terms?.attempts ?? TRIES;
  }
}

const effectsOf = (agenda: string): PendingEffectEntry[] =>
  (JSON.parse(agenda) as TimerOrPendingEffect[]).filter(
    (entry): entry is PendingEffectEntry => entry.t === 'effect',
  );
