/** How fast a target takes requests, and from that when a waiting one would have its turn. Milliseconds. */

/** Requests to one target at a time. */
export const CONCURRENT_WEBHOOKS_PER_TARGET = 8;

const FIRST_GUESS_MS = 50;
/** What a new measurement weighs. */
const WEIGHT = 0.2;

/** So long may what waits here have to wait, about. */
const WAIT_HERE_MS = 30_000;
const LEAST_ROOM = 8;
const MOST_ROOM = 512;

const SOONEST_MS = 5_000;
const LATEST_MS = 600_000;
/** One that was busy for so long is not foretold further than so many times that: what begins slowly may go on fast. */
const FORESIGHT = 4;

export interface WebhookWaitEstimator {
  /** A request took so long, whatever became of it. */
  took(ms: number): void;
  /** How many may wait here. */
  room(): number;
  /**
   * Keeps a place at the end of the line behind `waiting` others and answers how long from now it is. `busyMs`: for how
   * long there has been a line.
   */
  turnIn(now: number, waiting: number, busyMs: number): number;
  /** Of one request. */
  readonly usualMs: number;
}

export const newWebhookWaitEstimator = (random: () => number = Math.random): WebhookWaitEstimator => {
  let usualMs = FIRST_GUESS_MS;
  /** When the last of those that were sent away comes back. */
  let end = 0;
  return {
    get usualMs() {
      return usualMs;
    },
    took(ms) {
      usualMs += WEIGHT * (ms - usualMs);
    },
    room() {
      const fitting = Math.floor((CONCURRENT_WEBHOOKS_PER_TARGET * WAIT_HERE_MS) / Math.max(usualMs, 1));
      return Math.min(Math.max(fitting, LEAST_ROOM), MOST_ROOM);
    },
    turnIn(now, waiting, busyMs) {
      const latest = Math.min(Math.max(FORESIGHT * busyMs, 2 * SOONEST_MS), LATEST_MS);
      const step = usualMs / CONCURRENT_WEBHOOKS_PER_TARGET;
      end = Math.min(Math.max(end, now + waiting * step) + step, now + latest);
      const turn = Math.max(end - now, SOONEST_MS);
      // Beyond the last place there are none: they spread over the later half.
      return Math.round(turn < latest ? turn : latest * (0.5 + random() / 2));
    },
  };
};
