/**
 * The same error of the same place is logged once; what comes of it afterwards is counted, and told once a minute. So a
 * full disk, or a neighbour that is away, fills no other disk with its log.
 */

/** How often it is told how often something came again, milliseconds. */
const roundMs = 60_000;
/** Lines that carry no error may differ in what else they say: so many of one message are written in a round. */
const mostPlain = 20;
/** What is told apart at a time; beyond that everything is written. */
const mostKinds = 500;
/** Incidents of one error that are named in a round: their answers have no other line in the log. */
const mostIncidents = 20;

export interface LogRepeatFilterClock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Runs something once, so much later. */
  after(ms: number, run: () => void): void;
}

export const defaultLogRepeatFilterClock: LogRepeatFilterClock = {
  now: () => performance.now(),
  after: (ms, run) => void setTimeout(run, ms).unref(),
};

/** A line as it is to be written. */
export interface Line {
  /** pino's number of the level. */
  level: number;
  message: string;
  error?: unknown;
  /** Under which its answer is to be found. */
  incident?: unknown;
}

/** What came again in the last round. */
export interface RepeatedLogLine {
  level: number;
  message: string;
  /** What the error said when it was written; absent: there was none. */
  error?: string;
  times: number;
  incidents: string[];
}

interface Kind extends RepeatedLogLine {
  written: number;
  lastAt: number;
}

export class LogRepeatFilter {
  readonly #clock: LogRepeatFilterClock;
  readonly #tell: (again: RepeatedLogLine) => void;
  readonly #kinds = new Map<string, Kind>();
  #isWaiting = false;

  /** `tell`: hears once a minute, for each line that came again, how often. */
  constructor(clock: LogRepeatFilterClock, tell: (again: RepeatedLogLine) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** Whether a line is to be written; otherwise it has been counted. */
  admits({ level, message, error, incident }: Line): boolean {
    const kind = this.#kindOf(level, message, error);
    if (!kind) return true;
    kind.lastAt = this.#clock.now();
    if (kind.written < (error === undefined ? mostPlain : 1)) {
      kind.written += 1;
      return true;
    }
    kind.times += 1;
    if (typeof incident === 'string' && kind.incidents.length < mostIncidents) kind.incidents.push(incident);
    return false;
  }

  #kindOf(level: number, message: string, error: unknown): Kind | undefined {
    const key = `${level} ${message} ${markOf(error)}`;
    const known = this.#kinds.get(key);
    if (known || this.#kinds.size >= mostKinds) return known;
    const kind: Kind = { level, message, times: 0, incidents: [], written: 0, lastAt: 0 };
    if (error !== undefined) kind.error = textOf(error);
    this.#kinds.set(key, kind);
    this.#wait();
    return kind;
  }

  #wait(): void {
    if (this.#isWaiting || this.#kinds.size === 0) return;
    this.#isWaiting = true;
    this.#clock.after(roundMs, () => {
      this.#isWaiting = false;
      this.#endRound();
      this.#wait();
    });
  }

  /** What did not come for a minute is new when it comes again. */
  #endRound(): void {
    for (const [key, kind] of this.#kinds) {
      const { written: _, lastAt, ...again } = kind;
      if (kind.times > 0) this.#tell(again);
      if (this.#clock.now() - lastAt >= roundMs) this.#kinds.delete(key);
      else if (kind.error === undefined) kind.written = 0;
      kind.times = 0;
      kind.incidents = [];
    }
  }
}

/** What tells one error from another: its name and code, and the place it was made at; without a place, what it says. */
const markOf = (error: unknown): string => {
  if (!(error instanceof Error)) return error === undefined ? '' : plain(textOf(error));
  const { name, code, stack = '', message } = error as Error & { code?: unknown };
  const place = /\n\s+at (.*)/.exec(stack)?.[1];
  return `${name} ${String(code)} ${place ?? plain(message)}`;
};

const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200);

/** Ids and counts make no other error of it. */
const plain = (text: string): string => text.replaceAll(/\d+/g, '#');
