/**
 * What is lost with a database that went back, and nobody can be blamed for: what no journal at hand has. Everything else
 * must be there again.
 */
import type { Violation } from './book.ts';
import type { Database } from './database.ts';
import type { Journals } from './journals.ts';

/** What must hold whatever is lost. */
const ALWAYS: ReadonlySet<string> = new Set([
  'begun beside itself',
  'begun unkept',
  'begun unsure',
  'declared dead alive',
  'id twice',
  'journal lies',
  'kept closed',
  'overdrawn',
  'revision',
  'slot twice',
  'time went back',
  'told unkept',
]);

/** What may follow for those who have to do with a machine that lost a step. */
const FOLLOWS: ReadonlySet<string> = new Set([
  'counted wrong',
  'left out',
  'lost',
  'no grant',
  'stuck',
  'told wrong',
]);
/**
 * What may follow where a node that starts alone, on a host whose journals know nothing of it, finds an older copy: a request
 * that is made again there is another machine, and the first one is brought back later.
 */
const ASKED_ANEW: ReadonlySet<string> = new Set(['lost', 'one start, two machines']);
/** Machines that many have to do with: what is wrong with one of them concerns all of these. */
const SHARED: ReadonlySet<string | undefined> = new Set(['campaign', 'line', 'turns']);

export interface ExcusesScope {
  database: Database;
  journals: Journals;
}

export class Excuses {
  readonly #scope: ExcusesScope;
  /** Machines whose steps are lost, and those that have to do with them. */
  readonly #lost = new Set<number>();
  readonly #concerned = new Set<number>();
  #hasLost = false;

  constructor(scope: ExcusesScope) {
    this.#scope = scope;
  }

  /** How many machines lost something. */
  get many(): number {
    return this.#lost.size;
  }

  /** An operator opens the shard: what does not stand now never will. */
  opensAsItStands(): void {
    this.#hasLost = true;
    this.#lose(() => true);
  }

  /** The story is over: what no journal ever had is lost, and was promised to nobody. */
  close(): void {
    const { journals } = this.#scope;
    this.#lose((stepId) => !journals.keeps(stepId));
    // Others may have had to do with them since.
    for (const machine of this.#lost) this.#concern(machine);
  }

  covers({ rule, machine, beside = 0 }: Violation): boolean {
    if (ALWAYS.has(rule)) return false;
    if (rule === 'payment lost') return this.#hasLost;
    if (ASKED_ANEW.has(rule) && (this.#isAskedAnew(machine, beside) || this.#isAskedAnew(beside, machine)))
      return true;
    const isLost = this.#lost.has(machine) || this.#lost.has(beside);
    return isLost || (FOLLOWS.has(rule) && this.#concerned.has(machine));
  }

  #isAskedAnew(one: number, first: number): boolean {
    const { bornOnCopy, bornAgain } = this.#scope.database;
    return bornOnCopy.has(one) && bornAgain.has(first);
  }

  #lose(isLost: (stepId: number) => boolean): void {
    const { database } = this.#scope;
    for (const { machine, stepId } of database.steps.missing())
      if (isLost(stepId)) {
        this.#lost.add(machine);
        this.#concern(machine);
      }
  }

  #concern(machine: number): void {
    const { database } = this.#scope;
    for (const other of database.inbox.relativesOf(machine)) {
      if (this.#concerned.has(other)) continue;
      this.#concerned.add(other);
      if (SHARED.has(database.born.get(other)?.kind)) this.#concern(other);
    }
  }
}
