/**
 * Upkeep of a folder of journals: segments of days before are compressed, and deleted when they are old. Those of living
 * processes are left to them.
 *
 * Whether a process of another container, host or boot lives cannot be looked up. So each touches what it writes at every
 * upkeep, and a journal that has not been touched for days belongs to no process any more. One that wakes after that finds its file deleted when
 * it next syncs, and begins another.
 */
import { utimes } from 'node:fs/promises';
import type { Clock, EngineLog } from '../engine/contract/ports.ts';
import { compressJournalSegment } from './compressSegment.ts';
import { utcDayNumber } from './queue.ts';
import { readSegmentHead } from './readSegment.ts';
import {
  groupSegmentsByIncarnation,
  compressedPathOf,
  deleteIfThere,
  openJournalSegmentForReading,
  listJournalSegments,
  segmentFilePath,
  type SegmentFile,
  findStaleJournalPartFiles,
} from './segments.ts';
import type { JournalSummaryCache } from './segmentSummaryCache.ts';

const DAY_MS = 86_400_000;
/** A file that is being made is written to all the time: one that was not for so long is abandoned. */
const STALE_MS = 15 * 60_000;
/** A living process touches its journal every hour. */
const ABANDONED_MS = 2 * DAY_MS;

export interface JournalUpkeepDeps {
  /** Of the shard. */
  folder: string;
  /** How long segments are kept after their last line, days. */
  keepDays: number;
  clock: Clock;
  log: EngineLog;
  summaries: JournalSummaryCache;
  /** It is being written by this process, or brought to the disk. */
  isInUse(file: SegmentFile): boolean;
  /** An incarnation was of this process, or its process has surely ended. */
  isOurs(incarnation: number, process: string): boolean;
  /** Nothing more is begun. */
  isStopped(): boolean;
}

export class JournalUpkeep {
  readonly #scope: JournalUpkeepDeps;
  /** The UTC day of each segment, by path. */
  #days = new Map<string, number>();

  constructor(scope: JournalUpkeepDeps) {
    this.#scope = scope;
  }

  /** One round. What cannot be done is logged, and tried the next time. */
  async run(now: number): Promise<void> {
    const { folder, clock } = this.#scope;
    await this.#touchOwn();
    const closed = await this.#closed();
    for (const file of closed) await this.#try(file, () => this.#deleteOld(file, now));
    for (const file of closed) await this.#try(file, () => this.#compressPast(file, now));
    for (const part of await findStaleJournalPartFiles(folder, clock.wall() - STALE_MS))
      await deleteIfThere(part);
  }

  /** Segments that are left to this process, and that are not written to any more. */
  async #closed(): Promise<SegmentFile[]> {
    const { folder, isInUse } = this.#scope;
    const closed: SegmentFile[] = [];
    for (const files of groupSegmentsByIncarnation(await listJournalSegments(folder)).values()) {
      if (await this.#isLeft(files)) closed.push(...files.filter((file) => !isInUse(file)));
    }
    const paths = new Set(closed.map(segmentFilePath));
    this.#days = new Map([...this.#days].filter(([path]) => paths.has(path)));
    return closed;
  }

  /** To this process: they are its own, or of one that has ended. */
  async #isLeft(files: readonly SegmentFile[]): Promise<boolean> {
    const { isOurs, clock } = this.#scope;
    const owner = await ownerOf(files);
    if (!owner) return false;
    if (isOurs(owner.incarnation, owner.process)) return true;
    return (await touchedAt(files)) < clock.wall() - ABANDONED_MS;
  }

  async #touchOwn(): Promise<void> {
    const { folder, isInUse, clock } = this.#scope;
    const now = new Date(clock.wall());
    for (const file of await listJournalSegments(folder))
      if (isInUse(file)) await this.#try(file, () => utimes(segmentFilePath(file), now, now));
  }

  async #try(file: SegmentFile, work: () => Promise<void>): Promise<void> {
    const { log, isStopped } = this.#scope;
    if (isStopped()) return;
    await work().catch((error: unknown) => {
      if (!isStopped())
        log.warn({ err: error, path: segmentFilePath(file) }, 'upkeep of a segment of the journal failed');
    });
  }

  async #deleteOld(file: SegmentFile, now: number): Promise<void> {
    const { keepDays, summaries } = this.#scope;
    const day = await this.#dayOf(file);
    if (day === undefined || utcDayNumber(now) - day < keepDays) return;
    const { reached } = await summaries.of(file);
    if (now - reached.at <= keepDays * DAY_MS) return;
    await deleteIfThere(segmentFilePath(file));
    await deleteIfThere(compressedPathOf(file));
    this.#days.delete(segmentFilePath(file));
  }

  async #compressPast(file: SegmentFile, now: number): Promise<void> {
    const day = await this.#dayOf(file);
    if (day !== undefined && day < utcDayNumber(now)) await compressJournalSegment(file, this.#scope);
  }

  /** Undefined: it has no head, or is gone. */
  async #dayOf(file: SegmentFile): Promise<number | undefined> {
    const known = this.#days.get(segmentFilePath(file));
    if (known !== undefined) return known;
    const head = await headIn(file);
    if (head) this.#days.set(segmentFilePath(file), utcDayNumber(head.at));
    return head && utcDayNumber(head.at);
  }
}

/** When a journal was last written to, or touched, by this host's clock; now, where that cannot be told. */
const touchedAt = async (files: readonly SegmentFile[]): Promise<number> => {
  const times = files.map(async (file) => (await openJournalSegmentForReading(file)).modifiedAt);
  return Math.max(...(await Promise.all(times).catch(() => [Infinity])));
};

const ownerOf = async (files: readonly SegmentFile[]) => {
  for (const file of files) {
    const head = await headIn(file);
    if (head) return head.owner;
  }
  return undefined;
};

/** A segment that cannot be read is left alone; reading the journal reports it. */
const headIn = (file: SegmentFile) => readSegmentHead(file).catch(() => undefined);
