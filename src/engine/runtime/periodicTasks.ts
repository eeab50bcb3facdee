/** Work that is done again and again, each time so long after it was done last; after failures the pauses grow. */
import { backoffPauseMs } from '../contract/backoff.ts';
import type { DatabaseFailureTracker } from '../contract/databaseFailureTracker.ts';
import type { Clock, Random } from '../contract/ports.ts';

/** After a failure work is done again so soon, milliseconds, and later and later while it fails, however seldom it is done else. */
const FAILED_MS = { firstMs: 500, longestMs: 5_000 };

interface Round {
  ms: number;
  part: string;
  work: () => Promise<void>;
}

export class PeriodicTasks {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #health: DatabaseFailureTracker;
  readonly #cancels = new Set<() => void>();
  #stopped = false;

  constructor(clock: Clock, random: Random, health: DatabaseFailureTracker) {
    this.#clock = clock;
    this.#random = random;
    this.#health = health;
  }

  /** `part`: the name of the work among the parts of the shard that may fail. */
  every(ms: number, part: string, work: () => Promise<void>): void {
    this.#plan({ ms, part, work }, 0);
  }

  #plan(round: Round, failures: number): void {
    if (this.#stopped) return;
    const { ms, part, work } = round;
    const delay = failures === 0 ? ms : backoffPauseMs(failures, FAILED_MS, this.#random());
    const cancel = this.#clock.after(delay, () => {
      this.#cancels.delete(cancel);
      work().then(
        () => {
          this.#health.recovered(part);
          this.#plan(round, 0);
        },
        (error: unknown) => {
          if (!this.#stopped) this.#health.failed(part, error);
          this.#plan(round, failures + 1);
        },
      );
    });
    this.#cancels.add(cancel);
  }

  stop(): void {
    this.#stopped = true;
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }
}
