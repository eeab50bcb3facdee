/** Growing pauses between tries: each twice as long as the one before, up to a longest, and spread so that many who wait do not come back together. */
import type { Clock, Random } from './ports.ts';

export interface BackoffTimes {
  /** The first pause at most, milliseconds. */
  firstMs: number;
  /** Any pause at most, milliseconds. */
  longestMs: number;
}

/** The pause after so many failures, milliseconds: between half and all of what the doubling says. */
export const backoffPauseMs = (
  failures: number,
  { firstMs, longestMs }: BackoffTimes,
  random: number,
): number => Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20)) * (0.5 + 0.5 * random);

/** What is shut at times, e.g. a shard that is being checked: nothing is tried until it is open. */
export interface Gate {
  readonly mayWrite: boolean;
  /** Settles when it is open, at once when it is. */
  opened(): Promise<void>;
}

/** Counts failures in a row, and waits after them. */
export class Backoff {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #times: BackoffTimes;
  #failures = 0;
  #wake: () => void = () => {};
  #ended = false;

  constructor(clock: Clock, random: Random, times: BackoffTimes) {
    this.#clock = clock;
    this.#random = random;
    this.#times = times;
  }

  /** Failures since the last success. */
  get failures(): number {
    return this.#failures;
  }

  failed(): void {
    this.#failures += 1;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** How long the next pause is, milliseconds; 0 when nothing failed. */
  nextMs(): number {
    return this.#failures === 0 ? 0 : backoffPauseMs(this.#failures, this.#times, this.#random());
  }

  /** Settles when the pause after the last failure is over, at once when there was none or it has ended. */
  async wait(): Promise<void> {
    if (this.#failures === 0 || this.#ended) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(this.nextMs(), resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Settles when the gate is open. After it was shut, what failed before says nothing of the next try: pauses are short again. */
  async waitForOpening(gate: Gate): Promise<void> {
    if (gate.mayWrite) return;
    await gate.opened();
    this.#failures = Math.min(this.#failures, 1);
  }

  /** Nothing waits here any more. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }
}
