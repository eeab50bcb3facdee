/** What segments reach, read once: those that have grown are read on. */
import { summarize, type Summary } from './reading.ts';
import { findSegment, pathOf, type SegmentFile } from './segments.ts';
import { lruOf } from '../lib/lru.ts';

interface Known {
  size: number;
  modifiedAt: number;
  isCompressed: boolean;
  summary: Summary;
}

/** More are not remembered. */
const MOST = 1_000;

export class Summaries {
  readonly #known = lruOf<string, Known>(MOST);

  /** Rejects with `JournalDamaged` for what a newer release wrote, with ENOENT for what is gone. */
  async of(file: SegmentFile): Promise<Summary> {
    const segment = await findSegment(file);
    const { size, modifiedAt, isCompressed } = segment;
    const known = this.#known.get(pathOf(file));
    if (known?.size === size && known.modifiedAt === modifiedAt) return known.summary;
    const hasGrown =
      known && !known.summary.damage && !isCompressed && !known.isCompressed && size > known.size;
    const summary = await summarize(segment, hasGrown ? known.summary : undefined);
    this.#known.set(pathOf(file), { size, modifiedAt, isCompressed, summary });
    return summary;
  }
}
