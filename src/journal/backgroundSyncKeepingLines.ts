/**
 * Brings to the disk what was written, a moment later: a process that is killed loses nothing of what was written, a
 * machine that loses its power does.
 *
 * Lines are kept in memory until the disk has them. After a sync that failed the operating system may have dropped what it
 * was to write, and says nothing of it the next time: then these lines are written once more, elsewhere.
 */
import type { Clock } from '../engine/contract/ports.ts';
import { cloneJournalProgress, type JournalProgress } from './entries.ts';
import { type Line, pass } from './queue.ts';
import { type KeptBytes, RecycledMemory, viewKeptBytes } from './recycledMemory.ts';
import type { SegmentWriter } from './segmentWriter.ts';

/** With so many bytes the next sync begins at once. */
const HURRY_BYTES = 16 * 1024 * 1024;
/** More are not kept. Those before them are left to their segment: most systems still have them in memory. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface DelayedSyncOptions {
  clock: Clock;
  /** Longest time between a write and the beginning of its sync, milliseconds. */
  syncMs: number;
  /** A sync failed, and none follows: `kept` has to be written once more. */
  failed: (error: unknown) => void;
}

/** What is kept of a line. */
interface KeptLine extends Omit<Line, 'buffers' | 'done'> {
  text: KeptBytes;
}

export class DelayedDiskSync {
  readonly #options: DelayedSyncOptions;
  /** Written, and not known to be on the disk; the oldest first. */
  #kept: KeptLine[] = [];
  readonly #memory = new RecycledMemory();
  #keptBytes = 0;
  /** Lines that were kept once. */
  #dropped = 0;
  /** What was reached before those that are kept. */
  readonly #base: JournalProgress;
  /** Those that have something that is not on the disk. */
  readonly #dirty = new Set<SegmentWriter>();
  /** Those to be closed when the disk has them. */
  readonly #retired = new Set<SegmentWriter>();
  #cancel: () => void = () => {};
  #isWaiting = false;
  #running: Promise<void> | undefined;
  #failure: Error | undefined;

  constructor(options: DelayedSyncOptions, base: JournalProgress) {
    this.#options = options;
    this.#base = cloneJournalProgress(base);
  }

  /** Why what is kept has to be written once more; undefined: it has not. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Lines the disk may not have, and what was reached before them. */
  get kept(): { lines: readonly Line[]; base: JournalProgress } {
    const lines = this.#kept.map(({ text, ...line }) => ({ ...line, buffers: viewKeptBytes(text) }));
    return { lines, base: this.#base };
  }

  /** It is not all on the disk, or not known to be. */
  isUsing(path: string): boolean {
    return [...this.#dirty, ...this.#retired].some((segment) => segment.path === path);
  }

  wrote(segment: SegmentWriter, lines: readonly Line[]): void {
    for (const line of lines) this.#keep(line);
    while (this.#keptBytes > MOST_BYTES) this.#drop(1);
    this.touch(segment);
  }

  /** Something in a segment is not on the disk. */
  touch(segment: SegmentWriter): void {
    this.#dirty.add(segment);
    this.#schedule();
  }

  /** Nothing more is written to this one. */
  retire(segment: SegmentWriter): void {
    this.#retired.add(segment);
    this.touch(segment);
  }

  /** A segment that is deleted. */
  forget(segment: SegmentWriter): void {
    this.#dirty.delete(segment);
  }

  /** All that is kept is in a new segment and on the disk: what the others have of it matters no longer. */
  async rewritten(): Promise<void> {
    this.#drop(this.#kept.length);
    this.#dirty.clear();
    this.#failure = undefined;
    await this.#close([...this.#retired]);
  }

  /** Brings to the disk what was written until now. Rejects when it fails, after `failed` was told. */
  async now(): Promise<void> {
    while (this.#running) await this.#running.catch(() => {});
    this.#cancel();
    this.#isWaiting = false;
    if (this.#failure) throw this.#failure;
    if (this.#dirty.size === 0) return;
    this.#running = this.#sync();
    await this.#running.finally(() => {
      this.#running = undefined;
      if (this.#dirty.size > 0) this.#schedule();
    });
  }

  /** Nothing is synced any more. */
  async end(): Promise<void> {
    this.#cancel();
    this.#dirty.clear();
    await this.#close([...this.#retired]);
  }

  #schedule(): void {
    if (this.#running || this.#failure) return;
    const isUrgent = this.#keptBytes > HURRY_BYTES;
    if (this.#isWaiting && !isUrgent) return;
    this.#cancel();
    this.#isWaiting = true;
    const { clock, syncMs } = this.#options;
    this.#cancel = clock.after(isUrgent ? 0 : syncMs, () => void this.now().catch(() => {}));
  }

  async #sync(): Promise<void> {
    const segments = [...this.#dirty];
    const covered = this.#dropped + this.#kept.length;
    this.#dirty.clear();
    try {
      for (const segment of segments) await segment.sync();
    } catch (error) {
      this.#failure = error as Error;
      this.#options.failed(error);
      throw error;
    }
    this.#drop(covered - this.#dropped);
    await this.#close(segments.filter((segment) => this.#retired.has(segment) && !this.#dirty.has(segment)));
  }

  #keep({ bytes, at, position, incarnations, buffers }: Line): void {
    this.#kept.push({
      ...{ bytes, at, text: this.#memory.keep(buffers) },
      ...(position && { position }),
      ...(incarnations && { incarnations }),
    });
    this.#keptBytes += bytes;
  }

  /** Keeps so many of the oldest no longer. */
  #drop(lines: number): void {
    for (let left = lines; left > 0; left -= 1) {
      const line = this.#kept.shift()!;
      this.#memory.release(line.text);
      this.#keptBytes -= line.bytes;
      this.#dropped += 1;
      pass(this.#base, line);
    }
  }

  async #close(segments: readonly SegmentWriter[]): Promise<void> {
    for (const segment of segments) {
      this.#retired.delete(segment);
      // A descriptor that cannot be closed is no longer ours to mend.
      await segment.close().catch(() => {});
    }
  }
}
