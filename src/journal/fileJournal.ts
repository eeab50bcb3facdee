/**
 * A journal in files, which other processes of this host may read: `<directory>/<shard>/<incarnation>.<segment>.journal`.
 *
 * A line is written before `append` settles, so it outlives the process; the disk has it a second later, so that a power
 * cut costs that second. Each UTC day, and each 64 MB, begin a new segment.
 */
import { join } from 'node:path';
import type {
  Journal,
  JournalOwner,
  StoredJournal,
  JournalWritePosition,
} from '../engine/contract/journal.ts';
import { type Clock, type EngineLog, hostClock } from '../engine/contract/ports.ts';
import { Appender } from './appender.ts';
import { listStoredJournals } from './listStoredJournals.ts';
import { journalWriteProblem } from './journalWriteOutage.ts';
import { JournalSummaryCache } from './segmentSummaryCache.ts';
import { JournalUpkeep } from './compressAndPruneSegments.ts';

export interface FileJournalOptions {
  /** Holds a folder for each shard; made when it is not there. */
  directory: string;
  /** Letters and digits. */
  shard: string;
  log: EngineLog;
  /** How long segments are kept after their last line, days. */
  keepDays: number;
  /** Whether the process that wrote a journal has surely ended: its files are seen to by others. */
  isProcessDead: (process: string) => boolean;
  /** Default: the host's. */
  clock?: Clock;
  /** A segment that has so many bytes is followed by another. Default 64 MiB. */
  segmentBytes?: number;
  /** Longest time until what was written begins to be brought to the disk, milliseconds. Default 1,000. */
  syncMs?: number;
}

/** Nothing is opened before `begin`. */
export const openFileJournal = (options: FileJournalOptions): FileJournal => new FileJournal(options);

export class FileJournal implements Journal {
  readonly #options: Required<FileJournalOptions>;
  readonly #folder: string;
  readonly #summaries = new JournalSummaryCache();
  readonly #told = new Set<string>();
  readonly #upkeep: JournalUpkeep;
  #current: Appender | undefined;
  /** Those of incarnations before that still have something to write. */
  readonly #leaving = new Set<Appender>();
  /** Of this process. */
  readonly #incarnations = new Set<number>();
  #attending: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: FileJournalOptions) {
    if (!/^[a-z0-9]+$/i.test(options.shard)) throw new Error(`a journal for a shard named ${options.shard}`);
    this.#options = { clock: hostClock, segmentBytes: 64 * 1024 * 1024, syncMs: 1_000, ...options };
    this.#folder = join(options.directory, options.shard);
    this.#upkeep = new JournalUpkeep({
      ...this.#options,
      folder: this.#folder,
      summaries: this.#summaries,
      isInUse: (file) => this.#appenders().some((appender) => appender.isUsing(file)),
      isOurs: (incarnation, process) => this.#incarnations.has(incarnation) || options.isProcessDead(process),
      isStopped: () => this.#isClosed,
    });
  }

  /**
   * Begins a journal of its own for an incarnation. What was appended for the one before is written nevertheless. Throws
   * when the first line cannot be written, and when there is a journal of this incarnation already.
   */
  async begin(owner: JournalOwner, at: number): Promise<void> {
    const appender = await Appender.begin({ ...this.#options, folder: this.#folder, owner, at }).catch(
      (error: unknown) => {
        throw new Error(`the shard ${journalWriteProblem(error, this.#folder)}`, { cause: error });
      },
    );
    this.#incarnations.add(owner.incarnation);
    if (this.#current) this.#leave(this.#current);
    this.#current = appender;
  }

  /** Writes down those of these incarnations that no line tells of yet, without waiting for it. */
  saw(incarnations: readonly number[], at: number): void {
    this.#current?.saw(incarnations, at);
  }

  /**
   * Settles when the line is written: it outlives the process then, and a second later a power cut too. Waits while it
   * cannot be written. Rejects with `RangeError` for a text above 64 MiB, and when the journal was closed before.
   */
  append(text: readonly string[], placed: JournalWritePosition, at: number): Promise<void> {
    try {
      if (!this.#current || this.#isClosed) throw new Error('the journal is not open');
      return this.#current.append(text, placed, at);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Settles when lines can be written, and when the journal is closed. */
  async writable(): Promise<void> {
    for (const appender of this.#appenders()) await appender.writable();
  }

  get problem(): string | undefined {
    return this.#appenders().find(({ problem }) => problem !== undefined)?.problem;
  }

  /**
   * Journals of this process and of others, also while they are written. Rejects as the operating system says; what
   * cannot be read in a journal is its `problem`, or is thrown by its `lines` as `JournalDamaged`.
   */
  async kept(identity: string): Promise<StoredJournal[]> {
    const reached = (incarnation: number) =>
      this.#appenders().find(({ owner }) => owner.incarnation === incarnation)?.reached;
    const { log, isProcessDead } = this.#options;
    const files = { folder: this.#folder, summaries: this.#summaries, told: this.#told };
    return listStoredJournals({ ...files, log, isProcessDead, reached }, identity);
  }

  /**
   * Compresses segments of days before, and deletes those that are older than `keepDays` days: its own, and those of
   * processes that have ended. Takes long when there is much, since it works a quarter of the time only; while it is
   * under way another call joins it. What fails is logged. `now`: the shard's time, epoch milliseconds.
   */
  upkeep(now: number): Promise<void> {
    this.#attending ??= this.#upkeep.run(now).finally(() => (this.#attending = undefined));
    return this.#attending;
  }

  /**
   * Settles when all that was appended is on the disk, and its files are closed. While lines cannot be written they are
   * tried once more, and rejected.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#appenders().map((appender) => appender.finish(false)));
    await this.#attending?.catch(() => {});
  }

  #appenders(): Appender[] {
    return [...(this.#current ? [this.#current] : []), ...this.#leaving];
  }

  #leave(appender: Appender): void {
    this.#leaving.add(appender);
    void appender.finish(true).finally(() => this.#leaving.delete(appender));
  }
}
