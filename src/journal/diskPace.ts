/**
 * Whether the disk takes small writes at once, by how long they took.
 *
 * To write some kilobytes into the system's memory takes microseconds, and to have a thread do it ten times as much: where a
 * batch has a few steps that is the larger part of what the journal costs. But a disk that is in trouble makes the writer wait,
 * and the process with it. So after one write that took long, threads write for a while.
 */

/** A write of more bytes than these is left to a thread. */
const SMALL_BYTES = 64 * 1024;
/** A write that took longer, milliseconds, says that the disk makes writers wait. */
const SLOW_MS = 5;
/** For so long threads write then, milliseconds. */
const REST_MS = 10_000;

export class DiskLatencyMonitor {
  readonly #now: () => number;
  #restsUntil = -Infinity;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether so many bytes may be written while the process waits. */
  takesAtOnce(bytes: number): boolean {
    return bytes <= SMALL_BYTES && this.#now() >= this.#restsUntil;
  }

  /** Writes while the process waits, and notes how long that was. What `write` throws is thrown. */
  timed<T>(write: () => T): T {
    const began = this.#now();
    try {
      return write();
    } finally {
      const ended = this.#now();
      if (ended - began > SLOW_MS) this.#restsUntil = ended + REST_MS;
    }
  }
}
