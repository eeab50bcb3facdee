/** Work that is done again and again, each time so long after it was done last. A failure is logged, and tried again. */
import type { Clock, EngineLog } from './ports.ts';

export class Rounds {
  readonly #clock: Clock;
  readonly #log: EngineLog;
  readonly #cancels = new Set<() => void>();
  #stopped = false;

  constructor(clock: Clock, log: EngineLog) {
    this.#clock = clock;
    this.#log = log;
  }

  every(ms: number, work: () => Promise<void>): void {
    if (this.#stopped) return;
    const cancel = this.#clock.after(ms, () => {
      this.#cancels.delete(cancel);
      void work()
        .catch((error: unknown) => this.#log.warn({ err: error }, 'periodic work failed'))
        .then(() => this.every(ms, work));
    });
    this.#cancels.add(cancel);
  }

  stop(): void {
    this.#stopped = true;
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }
}
