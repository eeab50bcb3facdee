/** What segments reach, read once: those that have grown are read on. */
import {
  cloneJournalProgress,
  type ParsedJournalEntry,
  advanceJournalProgress,
  type JournalProgress,
} from './entries.ts';
import type { JournalReadProgress } from './frames.ts';
import { damagedHeadError, findLinesStartAfterDamagedHead } from './readLinesAfterDamagedHead.ts';
import {
  findSegmentDamage,
  readSegmentEntriesBehindDamage,
  readSegmentEntries,
  type JournalDamaged,
} from './readSegment.ts';
import {
  openJournalSegmentForReading,
  type ReadableJournalSegment,
  segmentFilePath,
  type SegmentFile,
} from './segments.ts';
import { lruOf } from '../lib/lru.ts';

/** A segment without its writes. */
export interface JournalSegmentSummary {
  /** In its end; of one that is damaged, as far as it can be read. */
  reached: JournalProgress;
  /** Else it is damaged, or only its head is. */
  hasHead: boolean;
  wholeBytes: number;
  /** Bytes behind the last whole line; 0: none. */
  tornBytes: number;
  /** It is damaged: whole lines follow on something that is none, or it has no head and may lack more than that. */
  damage?: JournalDamaged;
}

interface Known {
  size: number;
  modifiedAt: number;
  isCompressed: boolean;
  summary: JournalSegmentSummary;
}

/** More are not remembered. */
const MOST = 1_000;

export class JournalSummaryCache {
  readonly #known = lruOf<string, Known>(MOST);

  /** Rejects with `JournalDamaged` for what a newer release wrote, with ENOENT for what is gone. */
  async of(file: SegmentFile): Promise<JournalSegmentSummary> {
    const segment = await openJournalSegmentForReading(file);
    const { size, modifiedAt, isCompressed } = segment;
    const known = this.#known.get(segmentFilePath(file));
    if (known?.size === size && known.modifiedAt === modifiedAt) return known.summary;
    const hasGrown = known && isWhole(known) && !isCompressed && size > known.size;
    const summary = await summarize(segment, hasGrown ? known.summary : undefined);
    this.#known.set(segmentFilePath(file), { size, modifiedAt, isCompressed, summary });
    return summary;
  }
}

const isWhole = ({ summary, isCompressed }: Known): boolean =>
  summary.hasHead && !summary.damage && !isCompressed;

/** What a segment reaches. `before`: what was found in it the last time, which is not read again. */
const summarize = async (
  segment: ReadableJournalSegment,
  before?: JournalSegmentSummary,
): Promise<JournalSegmentSummary> => {
  const progress = { wholeBytes: before?.wholeBytes ?? 0, isCut: false };
  let reached = before ? cloneJournalProgress(before.reached) : nothing();
  let hasHead = before !== undefined;
  for await (const { entry } of readSegmentEntries(segment, progress)) {
    if (entry.what === 'end') return { reached: entry, hasHead: true, wholeBytes: 0, tornBytes: 0 };
    hasHead ||= entry.what === 'head';
    reached = after(reached, entry);
  }
  if (!hasHead) return withoutHead(segment);
  const end = await endOf(segment, progress);
  return { reached: end.damage ? await behind(segment, end, reached) : reached, hasHead, ...end };
};

const withoutHead = async (segment: ReadableJournalSegment): Promise<JournalSegmentSummary> => {
  const start = await findLinesStartAfterDamagedHead(segment);
  const damage = damagedHeadError(segment);
  const none = { wholeBytes: 0, tornBytes: segment.size, damage };
  let reached = nothing();
  if (start === undefined) return { reached: await behind(segment, none, reached), hasHead: false, ...none };
  const progress = { wholeBytes: start, isCut: false };
  for await (const { entry } of readSegmentEntries(segment, progress)) reached = after(reached, entry);
  return { reached, hasHead: false, ...(await endOf(segment, progress)) };
};

/** What a damaged segment reaches at least, by the lines that stand whole behind the damage. */
const behind = async (
  segment: ReadableJournalSegment,
  { wholeBytes }: Pick<JournalSegmentSummary, 'wholeBytes'>,
  reached: JournalProgress,
): Promise<JournalProgress> => {
  let furthest = reached;
  try {
    for await (const { entry } of readSegmentEntriesBehindDamage(segment, wholeBytes))
      furthest = after(furthest, entry);
  } catch (error) {
    // What follows is no line of ours: so far it is known.
    if (!isDamage(error)) throw error;
  }
  return furthest;
};

const isDamage = (error: unknown): boolean => error instanceof Error && error.name === 'JournalDamaged';

const endOf = async (
  segment: ReadableJournalSegment,
  { wholeBytes, isCut }: JournalReadProgress,
): Promise<Pick<JournalSegmentSummary, 'wholeBytes' | 'tornBytes' | 'damage'>> => {
  if (!isCut) return { wholeBytes, tornBytes: 0 };
  const damage = await findSegmentDamage(segment, wholeBytes);
  return { wholeBytes, tornBytes: Math.max(1, segment.size - wholeBytes), ...(damage && { damage }) };
};

/** Before the head, which says more. */
const nothing = (): JournalProgress => ({ last: new Map(), seen: new Set(), at: 0, era: 0 });

/** Changes `reached`, and gives it back: there are many lines. */
const after = (reached: JournalProgress, entry: ParsedJournalEntry): JournalProgress => {
  if (entry.what === 'head') return cloneJournalProgress(entry);
  if (entry.what === 'end') return reached;
  reached.at = entry.at;
  if (entry.what === 'saw') for (const one of entry.incarnations) reached.seen.add(one);
  else advanceJournalProgress(reached, entry);
  return reached;
};
