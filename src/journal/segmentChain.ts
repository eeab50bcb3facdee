/** The segments of one incarnation, one after the other. */
import type { JournalOwner } from '../engine/contract/journal.ts';
import { headText, type Reached } from './entries.ts';
import { frame } from './frames.ts';
import { codeOf } from './outage.ts';
import { dayOf, type Line } from './queue.ts';
import { SegmentWriter } from './segmentWriter.ts';

export interface ChainOptions {
  /** Of the shard. */
  folder: string;
  owner: JournalOwner;
  /** A segment that has so many bytes is followed by another. */
  segmentBytes: number;
}

export class SegmentChain {
  readonly #options: ChainOptions;
  #current: SegmentWriter;
  /** Of the last segment for which it was tried. */
  #number: number;
  /** UTC. */
  #day: number;
  #isBroken = false;

  /** Rejects as the operating system says when the first segment cannot be made. */
  static async begin(options: ChainOptions, reached: Reached): Promise<SegmentChain> {
    return new SegmentChain(options, await create(options, 1, reached, []), dayOf(reached.at));
  }

  private constructor(options: ChainOptions, first: SegmentWriter, day: number) {
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
    return this.#isBroken || this.#current.bytes >= this.#options.segmentBytes || dayOf(at) !== this.#day;
  }

  /** The current segment is not to be written any more. */
  breakOff(): void {
    this.#isBroken = true;
  }

  /** Begins the next segment with these lines; it is there when the disk has them, and not before. */
  async next(reached: Reached, lines: readonly Line[]): Promise<void> {
    try {
      this.#current = await create(this.#options, this.#number + 1, reached, lines);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') this.#number += 1;
      throw error;
    }
    this.#number = this.#current.file.segment;
    this.#day = dayOf(reached.at);
    this.#isBroken = false;
  }
}

const create = (
  { folder, owner }: ChainOptions,
  segment: number,
  reached: Reached,
  lines: readonly Line[],
): Promise<SegmentWriter> => {
  const head = frame([headText(owner, reached)]);
  const file = { folder, incarnation: owner.incarnation, segment };
  return SegmentWriter.create(file, [head, ...lines]);
};
