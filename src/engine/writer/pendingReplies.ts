/**
 * Callers who wait for a step to become durable, and for how long. One timer looks after all of them: most are
 * answered in milliseconds, and a timer each would cost more than the waiting.
 */
import { IntrusiveListNode, IntrusiveList } from '../contract/intrusiveList.ts';
import type { Clock } from '../contract/ports.ts';
import { Unavailable } from '../contract/api.ts';

/** One who waits. What is said after the first answer is not heard. */
export class CallerAwaitingCommit<Answer> extends IntrusiveListNode {
  /** When its caller gives up, monotonic. */
  readonly until: number;
  readonly #callers: IntrusiveList<CallerAwaitingCommit<never>>;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: unknown) => void;

  constructor(
    until: number,
    callers: IntrusiveList<CallerAwaitingCommit<never>>,
    resolve: (answer: Answer) => void,
    reject: (error: unknown) => void,
  ) {
    super();
    this.until = until;
    this.#callers = callers;
    this.#resolve = resolve;
    this.#reject = reject;
    callers.add(this);
  }

  /** Whether the caller was answered or has given up. */
  get isSettled(): boolean {
    return !this.listed;
  }

  resolve(answer: Answer): void {
    if (this.#callers.remove(this)) this.#resolve(answer);
  }

  reject(error: unknown): void {
    if (this.#callers.remove(this)) this.#reject(error);
  }
}

const LOOK_MS = 250;

export class CallersAwaitingCommit {
  readonly #clock: Clock;
  readonly #ms: number;
  /** In the order they came, so the most patient stand last. */
  readonly #callers = new IntrusiveList<CallerAwaitingCommit<never>>();
  #planned = false;

  /** `ms`: how long each waits, to a quarter of a second. */
  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** Begins what answers the caller. Rejects with what that throws, or `Unavailable` when replies ends. */
  request<Answer>(begin: (caller: CallerAwaitingCommit<Answer>) => void): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const until = this.#clock.monotonic() + this.#ms;
      const caller = new CallerAwaitingCommit<Answer>(until, this.#callers, resolve, reject);
      this.#plan();
      try {
        begin(caller);
      } catch (error) {
        caller.reject(error);
      }
    });
  }

  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    this.#clock.after(LOOK_MS, () => {
      this.#planned = false;
      const now = this.#clock.monotonic();
      for (const caller of this.#callers) {
        if (caller.until > now) break;
        caller.reject(new Unavailable('the step could not be made durable in time', 2));
      }
      if (this.#callers.size > 0) this.#plan();
    });
  }
}
