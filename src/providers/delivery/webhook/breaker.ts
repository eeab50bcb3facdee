/** Whether a target is worth a connection now (decisions/0014). Times are milliseconds of one clock, any one. */

/** `half`: its pause is over and one request finds out; the others wait for its verdict. */
export type CircuitBreakerState = 'closed' | 'open' | 'half';

export interface CircuitBreaker {
  standing(now: number): CircuitBreakerState;
  /** When `open` is over. */
  readonly until: number;
  /** Failed attempts since the last success. */
  readonly failures: number;
  /**
   * When a delivery that finds the circuit open should try again, milliseconds from now: after its pause, the later the
   * longer the target has been failing, and spread at random.
   */
  comeBackIn(now: number): number;
  succeeded(): void;
  /** `began`: when the attempt did. */
  failed(now: number, began: number): void;
}

const FAILURES = 5;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
/** The longest delay that a delivery is given, before it is spread at random. */
const LONGEST_AWAY_MS = 30 * 60_000;

export const newCircuitBreaker = (random: () => number = Math.random): CircuitBreaker => {
  let failures = 0;
  let until = 0;
  let pause = 0;
  let openedAt = 0;
  /** When it opened first since the last success. */
  let since = 0;
  const standing = (now: number): CircuitBreakerState => {
    if (pause === 0) return 'closed';
    return now < until ? 'open' : 'half';
  };
  return {
    standing,
    get until() {
      return until;
    },
    get failures() {
      return failures;
    },
    comeBackIn(now) {
      const away = Math.min(Math.max(now - since, FIRST_PAUSE_MS), LONGEST_AWAY_MS);
      return Math.round(Math.max(until - now, 0) + away * (0.5 + random() / 2));
    },
    succeeded() {
      failures = 0;
      pause = 0;
    },
    failed(now, began) {
      failures += 1;
      // What had begun before it opened says nothing new.
      if (failures < FAILURES || (pause > 0 && began <= openedAt)) return;
      openedAt = now;
      if (pause === 0) since = now;
      pause = pause === 0 ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
      until = now + pause;
    },
  };
};
