/**
 * The lines of one journal above some numbers, segment after segment. A segment is read as far as it is whole; the head of
 * the next one says whether that was all. Lines that stand in two segments, since the first may have lost them, come once.
 */
import { type JournalLine, journalLineBytesToText } from '../engine/contract/journal.ts';
import { findSegmentDamage, readSegmentEntries, readSegmentHead, JournalDamaged } from './readSegment.ts';
import {
  openJournalSegmentForReading,
  listJournalSegments,
  type ReadableJournalSegment,
  type SegmentFile,
} from './segments.ts';

type Numbers = ReadonlyMap<number, number>;

/** Throws `JournalDamaged` where lines are missing. */
export async function* readJournalLinesOfIncarnation(
  folder: string,
  incarnation: number,
  above: Numbers,
): AsyncGenerator<JournalLine, void> {
  const files = (await listJournalSegments(folder)).filter((file) => file.incarnation === incarnation);
  let index: number | undefined = await findFirstNeededSegment(files, above);
  const read = new Map(files[index] && (await readSegmentHead(files[index]!))?.last);
  while (index !== undefined && index < files.length) {
    const segment = await openJournalSegmentForReading(files[index]!);
    const progress = { wholeBytes: 0, isCut: false };
    for await (const { entry, text } of readSegmentEntries(segment, progress)) {
      if (entry.what !== 'write' || entry.number <= (read.get(entry.lane) ?? 0)) continue;
      const { lane, number, era, position, textFrom } = entry;
      read.set(lane, number);
      if (number > (above.get(lane) ?? 0))
        yield { lane, number, era, position, text: journalLineBytesToText(text.subarray(textFrom)) };
    }
    index = await nextOf(files, index, read, { segment, ...progress });
  }
}

/** The last segment before which there is nothing above; the first one when there is none. */
export const findFirstNeededSegment = async (
  files: readonly SegmentFile[],
  above: Numbers,
): Promise<number> => {
  for (const [index, file] of [...files.entries()].toReversed()) {
    const head = await readSegmentHead(file);
    if (head && hasReadUpTo(above, head.last)) return index;
  }
  return 0;
};

/** Whether a reader that got to `read` has every line up to `before`. */
export const hasReadUpTo = (read: Numbers, before: Numbers): boolean =>
  [...before].every(([lane, number]) => number <= (read.get(lane) ?? 0));

/** Where a segment was left. */
interface Left {
  segment: ReadableJournalSegment;
  wholeBytes: number;
  isCut: boolean;
}

/** The next segment that lacks nothing before its first line; undefined: that was the last. */
const nextOf = async (
  files: readonly SegmentFile[],
  index: number,
  read: Numbers,
  { segment, wholeBytes, isCut }: Left,
): Promise<number | undefined> => {
  let hasMore = false;
  for (let next = index + 1; next < files.length; next += 1) {
    const head = await readSegmentHead(files[next]!);
    if (head && hasReadUpTo(read, head.last)) return next;
    // One without a head had one once: it is there with its head before anything is written to it.
    hasMore = true;
  }
  if (hasMore) throw new JournalDamaged(segment.path, wholeBytes, 'the journal lacks lines');
  const damage = isCut ? await findSegmentDamage(segment, wholeBytes) : undefined;
  if (damage) throw damage;
  return undefined;
};
