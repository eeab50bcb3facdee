/** The segments of one incarnation, one after the other. */
import type { JournalOwner } from '../engine/contract/journal.ts';
import { formatSegmentHead, type JournalProgress } from './entries.ts';
import { frameJournalLine } from './frames.ts';
import { systemErrorCode } from './journalWriteOutage.ts';
import { utcDayNumber, type Line } from './queue.ts';
import { SegmentWriter } from './segmentWriter.ts';

export interface JournalSegmentRotationOptions {
  /** Of the shard. */
  folder: string;
  owner: JournalOwner;
  /** A segment that has so many bytes is followed by another. */
  segmentBytes: number;
}

export class JournalSegmentRotation {
  readonly #options: JournalSegmentRotationOptions;
  #current: SegmentWriter;
  /** Of the last segment for which it was tried. */
  #number: number;
  /** UTC. */
  #day: number;
  #isBroken = false;

  /** Rejects as the operating system says when the first segment cannot be made. */
  static async begin(
    options: JournalSegmentRotationOptions,
    reached: JournalProgress,
  ): Promise<JournalSegmentRotation> {
    return new JournalSegmentRotation(
      options,
      await create(options, 1, reached, []),
      utcDayNumber(reached.at),
    );
  }

  private constructor(options: JournalSegmentRotationOptions, first: SegmentWriter, day: number) {
    this.#options = options;
    this.#current = first;
    this.#number = first.file.segment;
    this.#day = day;
  }

  /** That which is written. */
  get current(): SegmentWriter {
    return this.#current;
  }

  /** Whether a line of that time belongs to the next segment. */
  needsNext(at: number): boolean {
    return (
      this.#isBroken || this.#current.bytes >= this.#options.segmentBytes || utcDayNumber(at) !== this.#day
    );
  }

  /** The current segment is not to be written any more. */
  breakOff(): void {
    this.#isBroken = true;
  }

  /** Begins the next segment with these lines; it is there when the disk has them, and not before. */
  async next(reached: JournalProgress, lines: readonly Line[]): Promise<void> {
    try {
      this.#current = await create(this.#options, this.#number + 1, reached, lines);
    } catch (error) {
      if (systemErrorCode(error) === 'EEXIST') this.#number += 1;
      throw error;
    }
    this.#number = this.#current.file.segment;
    this.#day = utcDayNumber(reached.at);
    this.#isBroken = false;
  }
}

const create = (
  { folder, owner }: JournalSegmentRotationOptions,
  segment: number,
  reached: JournalProgress,
  lines: readonly Line[],
): Promise<SegmentWriter> => {
  const head = frameJournalLine([formatSegmentHead(owner, reached)]);
  const file = { folder, incarnation: owner.incarnation, segment };
  return SegmentWriter.create(file, [head, ...lines]);
};
