/** Work that is done at once and then again and again, one at a time. A failure is told once, and so is its end. */

export interface PeriodicTaskOptions {
  /** Rejects when it failed: the next run tries again. */
  run(): Promise<void>;
  /** Between the end of one and the beginning of the next, milliseconds. */
  everyMs: number;
  /** Runs something after so many milliseconds; answers how to call it off. */
  after(ms: number, run: () => void): () => void;
  /** What is logged when runs begin to fail, and when they succeed again. */
  says: { failing: string; again: string };
  log: { warn(fields: object, message: string): void; info(message: string): void };
}

export class PeriodicTask {
  readonly #options: PeriodicTaskOptions;
  #isFailing = false;
  #stopped = false;
  #running: Promise<void> | undefined;
  #callOff = (): void => {};

  constructor(options: PeriodicTaskOptions) {
    this.#options = options;
  }

  /** Runs now, or waits for the run that is under way; the next follows by itself. Never rejects. */
  async renew(): Promise<void> {
    this.#callOff();
    if (this.#stopped) return;
    this.#running ??= this.attempt().finally(() => {
      this.#running = undefined;
      const { everyMs, after } = this.#options;
      if (!this.#stopped) this.#callOff = after(everyMs, () => void this.renew());
    });
    await this.#running;
  }

  /** One run by itself, told of as the others are. Never rejects. */
  async attempt(): Promise<void> {
    const { run, says, log } = this.#options;
    try {
      await run();
      if (this.#isFailing) log.info(says.again);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) log.warn({ err: error }, says.failing);
      this.#isFailing = true;
    }
  }

  /** Nothing begins any more; resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#callOff();
    await this.#running;
  }
}
