import type { Pool } from 'pg';
import type { LimitRow } from './limitMachine.ts';
import { limitStatement } from './limitStatement.ts';

/** Most machines in a statement, as in the engine. */
const BATCH = 500;

interface Waiting {
  row: LimitRow;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Group commit in its plainest form: whenever the connection is free it writes what is waiting, with one statement. */
export class LimitWriter {
  readonly #pool: Pool;
  #waiting: Waiting[] = [];
  #busy = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Settles when the row is durable. */
  push(row: LimitRow): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ row, resolve, reject });
      if (this.#busy) return;
      this.#busy = true;
      setImmediate(() => void this.#flush());
    });
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      try {
        const { rows } = await this.#pool.query<{ n: number }>(limitStatement(batch.map(({ row }) => row)));
        if (rows[0]!.n !== batch.length) throw new Error(`${rows[0]!.n} of ${batch.length} machines written`);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#busy = false;
  }
}
