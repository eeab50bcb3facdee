/**
 * Statements that were to take machines up and were not answered. What they took is ours in the database, and the
 * machines do not know it: it is looked for until no such statement can be done any more.
 */
import type { Clock } from '../contract/ports.ts';
import { STATEMENT_TIMEOUT_MS } from '../contract/store.ts';

/** A statement that was sent has been done after so long, or never will be; it may have reached the server late. */
const DECIDED_MS = STATEMENT_TIMEOUT_MS + 10_000;

/** What tells one statement from all others: no two of a node are of one moment. */
export interface UnansweredTakeover {
  /** When its rows were taken up, as their histories say, epoch milliseconds. */
  at: number;
  /** No row has a step id below this one since. */
  stepId: number;
}

export class UnansweredTakeovers {
  readonly #clock: Clock;
  readonly #open = new Map<UnansweredTakeover, { heldBy: number; until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** The statement of this incarnation was sent, and what became of it is not known. */
  add(heldBy: number, statement: UnansweredTakeover): void {
    this.#open.set(statement, { heldBy, until: this.#clock.monotonic() + DECIDED_MS });
  }

  /** All that this incarnation has to look for. What a former one took up is taken from it, as from any that is dead. */
  of(heldBy: number): UnansweredTakeover[] {
    for (const [statement, one] of this.#open) if (one.heldBy !== heldBy) this.#open.delete(statement);
    return [...this.#open.keys()];
  }

  /** These were looked for at that monotonic moment; of some, rows were `found`. A statement is done as a whole. */
  looked(statements: readonly UnansweredTakeover[], lookedAt: number, found: ReadonlySet<number>): void {
    for (const statement of statements) {
      const isDecided = found.has(statement.at) || (this.#open.get(statement)?.until ?? 0) <= lookedAt;
      if (isDecided) this.#open.delete(statement);
    }
  }
}
