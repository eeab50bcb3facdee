/** Times in which a journal cannot be written: what is said of them, and how long it is until the next try. */
import type { Clock, EngineLog } from '../engine/contract/ports.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export interface JournalWriteOutageOptions {
  shard: string;
  clock: Clock;
  log: EngineLog;
}

export class JournalOutageTracker {
  readonly #options: JournalWriteOutageOptions;
  #problem: string | undefined;
  /** Since the last success. */
  #failures = 0;
  #wake: () => void = () => {};
  #waiting: (() => void)[] = [];

  constructor(options: JournalWriteOutageOptions) {
    this.#options = options;
  }

  /** Why nothing can be written, as the end of "the shard …"; undefined: it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** A try failed. The first is logged. */
  failed(error: unknown, path: string): void {
    const { log, shard } = this.#options;
    this.#failures += 1;
    this.#problem = journalWriteProblem(error, path);
    if (this.#failures === 1)
      log.error({ err: error, shard, path }, 'the journal cannot be written; trying again');
  }

  succeeded(): void {
    if (this.#problem === undefined) return;
    const { log, shard } = this.#options;
    log.info({ shard, failures: this.#failures }, 'the journal can be written again');
    this.#problem = undefined;
    this.#failures = 0;
    this.letGo();
  }

  /** Settles when it is time for the next try. */
  async pause(): Promise<void> {
    const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.#failures - 1, 10));
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Ends a pause. */
  retryNow(): void {
    this.#wake();
  }

  /** Settles when there is no problem, or when the journal closes and nothing may wait any more. */
  async over(): Promise<void> {
    if (this.#problem !== undefined) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Lets go who waits for its end. */
  letGo(): void {
    for (const settle of this.#waiting.splice(0)) settle();
  }
}

/** The end of "the shard …". */
export const journalWriteProblem = (error: unknown, path: string): string =>
  `cannot write its journal (${systemErrorCode(error)}, ${path})`;

/** What the operating system says, in short. */
export const systemErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
