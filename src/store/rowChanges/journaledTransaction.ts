/**
 * Writes rows outside of machines' commits, and keeps the change of each in the journal before the caller is told: under
 * a number that the database counts in the same transaction, so that what it forgets is missed.
 */
import { Unavailable } from '../../engine/contract/api.ts';
import { MOST_JOURNAL_LINE_BYTES } from '../../engine/contract/journal.ts';
import { type RowOrIdCounterChange, serializeRowChanges } from './rowChange.ts';
import type { Ask } from './columnWriteTimes.ts';
import { RowChangeSession } from './transactionRowChanges.ts';

/** What stands before the text of a line is short. */
const MOST_TEXT_BYTES = MOST_JOURNAL_LINE_BYTES - 1024;

/** Where changes are kept. */
export interface RowChangeAppender {
  /** Makes itself known to the database under a number of its own. */
  begin(): Promise<number>;
  /** Settles when they outlive the process. Called in the order of numbers. */
  append(number: number, changes: readonly RowOrIdCounterChange[], atMs: number): Promise<void>;
  /** Why none can be kept, as the end of "it …"; undefined: they can. */
  readonly problem: string | undefined;
}

/** Opens a transaction, and commits it when `work` is done; it rejects as `work` does. */
export type RunTransaction<Handle> = <T>(work: (handle: Handle, ask: Ask) => Promise<T>) => Promise<T>;

export interface RowChangeWriterOptions {
  /** Of the database, in sentences: `control`, `shard a`. */
  name: string;
  journal: RowChangeAppender;
  /** The database has gone back: what it lacks is to be written again. */
  wentBack(): Promise<void>;
}

export class RowChangeWriter {
  readonly #options: RowChangeWriterOptions;
  #writer: Promise<number> | undefined;
  /** The highest number that was acknowledged. */
  #known = 0;
  /** The end of the line of those that are about to commit. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: RowChangeWriterOptions) {
    this.#options = options;
  }

  /** This process among the writers, and the highest number that it was told; undefined: it has written nothing. */
  async standing(): Promise<{ writer: number; known: number } | undefined> {
    const writer = await this.#writer?.catch(() => undefined);
    return writer === undefined ? undefined : { writer, known: this.#known };
  }

  /**
   * Does `work` in a transaction; rows are written when their keys were given to `session.touch`. Settles when the changes
   * are in the journal. Throws `Unavailable` when they cannot be kept, and what the database and `work` throw.
   */
  async write<Handle, T>(
    transact: RunTransaction<Handle>,
    work: (handle: Handle, session: RowChangeSession) => Promise<T>,
  ): Promise<T> {
    const { journal, name } = this.#options;
    if (journal.problem !== undefined)
      throw new Unavailable(`the database of ${name} takes no writes now: its journal ${journal.problem}`, 5);
    const begun = this.#begun();
    const writer = await begun;
    let release = (): void => {};
    let counted: Counted | undefined;
    let kept: Promise<void> | undefined;
    try {
      const answer = await transact(async (handle, ask) => {
        const session = new RowChangeSession(ask);
        const done = await work(handle, session);
        release = await this.#inTurn();
        // The transaction may have been given up meanwhile: then the turn has to be ended here.
        counted = await this.#counted(writer, session).catch((error: unknown) => {
          release();
          throw error;
        });
        return done;
      });
      if (counted) {
        this.#known = counted.number;
        kept = journal.append(counted.number, counted.changes, counted.at / 1000);
      }
      release();
      await kept;
      return answer;
    } catch (error) {
      release();
      if (error instanceof WentBack) {
        this.#beginAnew(begun);
        await this.#options.wentBack();
        throw new Unavailable(`the database of ${name} went back, and is being brought up to date`, 1);
      }
      throw error;
    }
  }

  #begun(): Promise<number> {
    this.#writer ??= this.#options.journal.begin().catch((error: unknown) => {
      this.#writer = undefined;
      throw error;
    });
    return this.#writer;
  }

  /** A writer to whom nothing was acknowledged has no line in a journal that would make it known to the database again. */
  #beginAnew(forgotten: Promise<number>): void {
    if (this.#known === 0 && this.#writer === forgotten) this.#writer = undefined;
  }

  /** One after the other from the number to the journal, so that lines stand there in the order of numbers. */
  async #inTurn(): Promise<() => void> {
    const before = this.#turn;
    let release!: () => void;
    this.#turn = new Promise<void>((resolve) => (release = resolve));
    await before;
    return release;
  }

  /** Undefined: nothing was changed. */
  async #counted(writer: number, session: RowChangeSession): Promise<Counted | undefined> {
    const [row] = await session.ask<{ number: string; at: string }>(
      `UPDATE row_writers SET number = number + 1, at = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
       WHERE writer = $1::text::bigint RETURNING number::text AS number, at::text AS at`,
      [String(writer)],
    );
    const [number, at] = [Number(row?.number), Number(row?.at)];
    if (!row || number <= this.#known)
      throw new WentBack('the database has fewer writes than it acknowledged');
    const changes = await session.changes(at);
    if (Buffer.byteLength(serializeRowChanges(changes)) > MOST_TEXT_BYTES)
      throw new RangeError(
        `what was written to ${this.#options.name} does not fit into a line of the journal`,
      );
    return { number, at, changes };
  }
}

interface Counted {
  number: number;
  /** Microseconds. */
  at: number;
  changes: RowOrIdCounterChange[];
}

class WentBack extends Error {
  override name = 'WentBack';
}
