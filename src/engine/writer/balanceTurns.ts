/**
 * Writers of a shard that move the same balance take turns here. In the database they would wait for its row, and a statement
 * that has waited is set up by PostgreSQL once more for the newer row (EvalPlanQual): half of the processor time of a paid
 * start. What comes meanwhile goes with the next statement.
 */
export class BalanceTurns {
  readonly #taken = new Set<string>();
  #waiting: Waiting[] = [];

  /** Settles when no other writer moves one of these. They are the caller's until `give`. */
  async take(balances: ReadonlySet<string>): Promise<void> {
    if (balances.size === 0) return;
    if (this.#waiting.length === 0 && isFree(balances, this.#taken)) add(balances, this.#taken);
    else await new Promise<void>((granted) => this.#waiting.push({ balances, granted }));
  }

  /** Gives all of them back, whatever became of the statement. */
  give(balances: ReadonlySet<string>): void {
    if (balances.size === 0) return;
    for (const balance of balances) this.#taken.delete(balance);
    // Who waits longer is not overtaken by one that wants the same.
    const wanted = new Set(this.#taken);
    this.#waiting = this.#waiting.filter((one) => {
      const mayGo = isFree(one.balances, wanted);
      add(one.balances, wanted);
      if (mayGo) add(one.balances, this.#taken);
      if (mayGo) one.granted();
      return !mayGo;
    });
  }
}

interface Waiting {
  balances: ReadonlySet<string>;
  granted(): void;
}

const isFree = (balances: ReadonlySet<string>, taken: ReadonlySet<string>): boolean =>
  [...balances].every((balance) => !taken.has(balance));

const add = (balances: ReadonlySet<string>, to: Set<string>): void => {
  for (const balance of balances) to.add(balance);
};
