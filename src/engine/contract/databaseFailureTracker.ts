/**
 * How a shard's database serves this node: which parts of the engine it fails, since when, and why. Every part reports
 * its failures and its first success here and nowhere else, so that an outage is one line in the log when it begins, one
 * a minute while it lasts, and one when it is over, however often is tried.
 */
import type { Clock, EngineLog } from './ports.ts';

/** A part that failed so long, and more than once, is a problem that readiness shows, milliseconds. */
const SHOWN_AFTER_MS = 500;
/** Between two lines about one outage. */
const TELL_MS = 60_000;
/** An outage is over when nothing failed for so long. */
const OVER_MS = 5_000;

interface Failing {
  /** Monotonic. */
  since: number;
  failures: number;
  reason: string;
}

interface Outage {
  since: number;
  failures: number;
  /** Failures when the log last told of it, and when that was. */
  told: number;
  toldAt: number;
  lastAt: number;
}

export class DatabaseFailureTracker {
  readonly #shard: string;
  readonly #clock: Clock;
  readonly #log: EngineLog;
  readonly #failing = new Map<string, Failing>();
  #outage: Outage | null = null;
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(shard: string, clock: Clock, log: EngineLog) {
    this.#shard = shard;
    this.#clock = clock;
    this.#log = log;
  }

  /** A part's try failed. `part`: what it was to do, e.g. `heartbeat`. */
  failed(part: string, error: unknown): void {
    if (this.#stopped) return;
    const now = this.#clock.monotonic();
    const failing = this.#failing.get(part) ?? { since: now, failures: 0, reason: '' };
    failing.failures += 1;
    failing.reason = summarizeError(error);
    this.#failing.set(part, failing);
    this.#note(part, error, now);
  }

  /** A part's try succeeded, or it has nothing to do any more. Costs nothing while all is well. */
  recovered(part: string): void {
    if (this.#failing.size > 0) this.#failing.delete(part);
  }

  /** Whether any part fails. */
  get isFailing(): boolean {
    return this.#failing.size > 0;
  }

  /** Milliseconds for which a part has failed; 0: it does not. */
  failsFor(part: string): number {
    const failing = this.#failing.size === 0 ? undefined : this.#failing.get(part);
    return failing ? Math.max(1, this.#clock.monotonic() - failing.since) : 0;
  }

  /** What fails longest, as the end of "the shard …"; undefined: nothing does. */
  get problem(): string | undefined {
    const now = this.#clock.monotonic();
    let worst: (Failing & { part: string }) | undefined;
    for (const [part, failing] of this.#failing) {
      if (failing.failures < 2 || now - failing.since < SHOWN_AFTER_MS) continue;
      if (!worst || failing.since < worst.since) worst = { part, ...failing };
    }
    if (!worst) return undefined;
    const seconds = Math.round((now - worst.since) / 1_000);
    return `fails for ${seconds} s (${worst.part}): ${worst.reason}`;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #note(part: string, error: unknown, now: number): void {
    const outage = this.#outage;
    if (!outage) {
      this.#outage = { since: now, failures: 1, told: 1, toldAt: now, lastAt: now };
      const fields = { err: error, shard: this.#shard, part };
      this.#log.warn(fields, 'the database does not serve the shard: trying again with growing pauses');
      this.#plan();
      return;
    }
    outage.failures += 1;
    outage.lastAt = now;
    if (now - outage.toldAt < TELL_MS) return;
    const failures = outage.failures - outage.told;
    const fields = {
      shard: this.#shard,
      failures,
      parts: [...this.#failing.keys()],
      reason: summarizeError(error),
    };
    this.#log.warn(fields, 'the database still does not serve the shard');
    outage.told = outage.failures;
    outage.toldAt = now;
  }

  /** Looks now and then whether it is over. */
  #plan(): void {
    this.#cancel = this.#clock.after(OVER_MS, () => {
      const { since, failures, lastAt } = this.#outage!;
      const now = this.#clock.monotonic();
      if (this.#failing.size > 0 || now - lastAt < OVER_MS) {
        this.#plan();
        return;
      }
      this.#outage = null;
      const seconds = Math.round((lastAt - since) / 1_000);
      this.#log.info({ shard: this.#shard, failures, seconds }, 'the database serves the shard again');
    });
  }
}

/** The first line of an error and its code, for people. */
export const summarizeError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error).slice(0, 200);
  const line = error.message.split('\n', 1)[0]!.slice(0, 200);
  const code = codeOf(error) ?? codeOf(error.cause);
  return code === undefined || line.includes(code) ? line : `${line} (${code})`.trim();
};

const codeOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
};
