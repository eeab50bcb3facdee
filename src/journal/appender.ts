/**
 * Appends the lines of one incarnation, in the order in which they come: those that wait go with one write. While they
 * cannot be written they wait, and it is tried again.
 */
import type { JournalOwner, JournalLineChunks, JournalWritePosition } from '../engine/contract/journal.ts';
import type { Clock, EngineLog } from '../engine/contract/ports.ts';
import {
  cloneJournalProgress,
  formatJournalPositionPrefix,
  type JournalProgress,
  formatSeenIncarnations,
} from './entries.ts';
import { DiskLatencyMonitor } from './diskPace.ts';
import { frameJournalLine, type FramedLine } from './frames.ts';
import { systemErrorCode, JournalOutageTracker } from './journalWriteOutage.ts';
import { nextJournalLinesToWrite, type Line, pass } from './queue.ts';
import { type JournalSegmentRotationOptions, JournalSegmentRotation } from './segmentRotation.ts';
import { segmentFilePath, type SegmentFile } from './segments.ts';
import { DelayedDiskSync } from './backgroundSyncKeepingLines.ts';

/** What one write takes, and not much more. */
const BATCH_BYTES = 8 * 1024 * 1024;
/** The disk has no room: once it has, the same segment goes on. After all else another one is tried. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

export interface AppenderOptions extends JournalSegmentRotationOptions {
  /** The shard's time, epoch milliseconds. */
  at: number;
  clock: Clock;
  log: EngineLog;
  /** Longest time until what was written begins to be brought to the disk, milliseconds. */
  syncMs: number;
}

export class Appender {
  readonly owner: JournalOwner;
  readonly #options: AppenderOptions;
  /** By what was written. */
  readonly #reached: JournalProgress;
  /** Incarnations of which lines tell, some of which may wait. */
  readonly #told: Set<number>;
  readonly #chain: JournalSegmentRotation;
  readonly #pace: DiskLatencyMonitor;
  readonly #syncing: DelayedDiskSync;
  readonly #outage: JournalOutageTracker;
  #waiting: Line[] = [];
  #running: Promise<void> | undefined;
  #isClosing = false;
  #isGivenUp = false;

  /** Rejects as the operating system says when the first segment cannot be made. */
  static async begin(options: AppenderOptions): Promise<Appender> {
    const { owner, at } = options;
    const reached = { last: new Map(), seen: new Set([owner.incarnation]), at, era: 0 };
    return new Appender(options, reached, await JournalSegmentRotation.begin(options, reached));
  }

  private constructor(options: AppenderOptions, reached: JournalProgress, chain: JournalSegmentRotation) {
    this.owner = options.owner;
    this.#options = options;
    this.#reached = reached;
    this.#told = new Set(reached.seen);
    this.#chain = chain;
    this.#pace = new DiskLatencyMonitor(() => options.clock.monotonic());
    this.#outage = new JournalOutageTracker({ ...options, shard: options.owner.shard });
    const failed = (error: unknown): void => {
      this.#failed(error);
      this.#start();
    };
    this.#syncing = new DelayedDiskSync({ ...options, failed }, reached);
    this.#syncing.touch(chain.current);
  }

  /** What was written so far. */
  get reached(): JournalProgress {
    return cloneJournalProgress(this.#reached);
  }

  get problem(): string | undefined {
    return this.#outage.problem;
  }

  /** Settles when there is no problem, or it was given up. */
  async writable(): Promise<void> {
    await this.#outage.over();
  }

  /** It is written, or brought to the disk. */
  isUsing(file: SegmentFile): boolean {
    const path = segmentFilePath(file);
    return this.#chain.current.path === path || this.#syncing.isUsing(path);
  }

  /** Keeps bytes only while it waits, not the text. */
  append(line: JournalLineChunks, placed: JournalWritePosition, at: number): Promise<void> {
    return this.#appended(frameJournalLine([formatJournalPositionPrefix(placed, at), ...line]), placed, at);
  }

  #appended(line: FramedLine, { lane, number, era }: JournalWritePosition, at: number): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const done = (error?: Error): void => (error ? reject(error) : resolve());
      this.#put({ ...line, at, position: { lane, number, era }, done });
    });
  }

  /** Writes down those that no line before tells of. */
  saw(incarnations: readonly number[], at: number): void {
    const fresh = incarnations.filter((one) => !this.#told.has(one));
    if (fresh.length === 0) return;
    for (const one of fresh) this.#told.add(one);
    this.#put({ ...frameJournalLine([formatSeenIncarnations(fresh, at)]), at, incarnations: fresh });
  }

  /**
   * Settles when all is written, on the disk, and closed. `insists`: however long that takes; else, when it cannot be
   * written now, it is given up, and those who wait are told.
   */
  async finish(insists: boolean): Promise<void> {
    this.#isClosing ||= !insists;
    this.#outage.retryNow();
    do await this.#running;
    while (!(await this.#isSynced()) && !this.#isGivenUp);
    await this.#syncing.end();
    await this.#chain.current.close().catch(() => {});
  }

  async #isSynced(): Promise<boolean> {
    return this.#syncing.now().then(
      () => true,
      () => false,
    );
  }

  #put(line: Line): void {
    this.#waiting.push(line);
    this.#start();
  }

  /** What is appended in this turn of the process is written together. */
  #start(): void {
    this.#running ??= new Promise<void>((resolve) => this.#options.clock.soon(resolve)).then(() =>
      this.#run(),
    );
  }

  async #run(): Promise<void> {
    while (!this.#isGivenUp && (this.#waiting.length > 0 || this.#syncing.failure)) {
      try {
        await (this.#syncing.failure ? this.#rewrite() : this.#write());
        if (!this.#syncing.failure) this.#outage.succeeded();
      } catch (error) {
        this.#failed(error);
        if (this.#isClosing) this.#giveUp();
        else await this.#outage.pause();
      }
    }
    this.#running = undefined;
  }

  async #write(): Promise<void> {
    const batch = nextJournalLinesToWrite(this.#waiting, BATCH_BYTES);
    await this.#makeRoom(batch[0]!.at);
    await this.#chain.current.write(batch, this.#pace);
    this.#waiting.splice(0, batch.length);
    for (const line of batch) pass(this.#reached, line);
    this.#syncing.wrote(this.#chain.current, batch);
    for (const { done } of batch) done?.();
  }

  async #makeRoom(at: number): Promise<void> {
    if (this.#chain.needsNext(at)) await this.#next({ ...this.#reached, at }, []);
  }

  /** What the disk may have lost goes to a segment of its own, which is not there before the disk has it. */
  async #rewrite(): Promise<void> {
    const { lines, base } = this.#syncing.kept;
    await this.#next({ ...base, at: lines[0]?.at ?? this.#reached.at }, lines);
    await this.#syncing.rewritten();
    // That it is in its folder is not on the disk yet.
    this.#syncing.touch(this.#chain.current);
  }

  async #next(reached: JournalProgress, lines: readonly Line[]): Promise<void> {
    const before = this.#chain.current;
    await this.#chain.next(reached, lines);
    this.#syncing.touch(this.#chain.current);
    if (!before.isEmpty) {
      this.#syncing.retire(before);
      return;
    }
    this.#syncing.forget(before);
    await before.remove();
  }

  #failed(error: unknown): void {
    if (!NO_ROOM.has(systemErrorCode(error))) this.#chain.breakOff();
    const path = error instanceof Error && 'path' in error ? String(error.path) : this.#chain.current.path;
    this.#outage.failed(error, path);
  }

  #giveUp(): void {
    this.#isGivenUp = true;
    const error = new Error(`the journal is closed: it ${this.problem}`);
    for (const { done } of this.#waiting.splice(0)) done?.(error);
    this.#outage.letGo();
  }
}
