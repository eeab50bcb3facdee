/**
 * Writers of a shard that move the same balance take turns here. In the database they would wait for its row, and a statement
 * that has waited is set up by PostgreSQL once more for the newer row (EvalPlanQual): half of the processor time of a paid
 * start. A turn only spares work: the row decides who may spend, so a writer waits a moment and then goes ahead.
 */
import type { Clock } from '../contract/ports.ts';

/** Some ten commits of a busy database; a commit that takes longer waits for something else than this balance. */
const PATIENCE_MS = 100;

export class BalanceWriterTurns {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #holders = new Map<string, Turn>();
  #waiting: Waiting[] = [];

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** Settles when no other writer of the shard moves one of these, or when that took too long. */
  take(balances: ReadonlySet<string>): Promise<Turn> {
    const turn: Turn = { balances };
    if (this.#waiting.length === 0 && !overlaps(balances, this.#holders))
      return Promise.resolve(this.#begin(turn));
    return new Promise((granted) => {
      const grant = (): void => {
        forget();
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        granted(this.#begin(turn));
      };
      const forget = this.#clock.after(PATIENCE_MS, grant);
      const waiting = { turn, grant };
      this.#waiting.push(waiting);
    });
  }

  /** Ends a turn, whatever became of its statement. What another has taken over meanwhile stays the other's. */
  give(turn: Turn): void {
    for (const balance of turn.balances)
      if (this.#holders.get(balance) === turn) this.#holders.delete(balance);
    // A writer that waits longer is not overtaken by one that moves the same.
    const wanted = new Set<string>();
    for (const { turn: next, grant } of this.#waiting) {
      const mayGo = !overlaps(next.balances, this.#holders) && !overlaps(next.balances, wanted);
      for (const balance of next.balances) wanted.add(balance);
      if (mayGo) grant();
    }
  }

  #begin(turn: Turn): Turn {
    for (const balance of turn.balances) this.#holders.set(balance, turn);
    return turn;
  }
}

/** The balances that one statement moves, as long as it is under way. */
export interface Turn {
  readonly balances: ReadonlySet<string>;
}

interface Waiting {
  turn: Turn;
  grant(): void;
}

const overlaps = (balances: ReadonlySet<string>, others: { has(balance: string): boolean }): boolean =>
  [...balances].some((balance) => others.has(balance));
