/**
 * A segment whose head is damaged, and still says how long it is. Where lines follow on it without a gap nothing else was
 * hit: they are used like any others. Which node wrote them is known by the name of the file only.
 */
import { type JournalLine, journalLineBytesToText } from '../engine/contract/journal.ts';
import { readJournalFrames, readFramedLineLength, type JournalReadProgress } from './frames.ts';
import {
  findSegmentDamage,
  readSegmentEntries,
  JournalDamaged,
  type ParsedJournalEntryWithText,
} from './readSegment.ts';
import { openJournalSegmentForReading, type ReadableJournalSegment, type SegmentFile } from './segments.ts';

/** Of a segment with a head that cannot be read. */
export const damagedHeadError = (
  { path }: Pick<ReadableJournalSegment, 'path'>,
  options?: ErrorOptions,
): JournalDamaged => new JournalDamaged(path, 0, 'the head of the journal cannot be read', options);

/** Where the lines begin, bytes; undefined: the segment lacks some, or what is damaged may be more than its head. */
export const findLinesStartAfterDamagedHead = async (
  segment: ReadableJournalSegment,
): Promise<number | undefined> => {
  const start = (await beginsWhole(segment)) ? undefined : await lengthOfHead(segment);
  if (start === undefined) return undefined;
  const progress = { wholeBytes: start, isCut: false };
  for await (const { entry } of readSegmentEntries(segment, progress)) if (!isLine(entry)) return undefined;
  return progress.isCut && (await findSegmentDamage(segment, progress.wholeBytes)) ? undefined : start;
};

/** What stands where the head should, and is whole, is something else than a damaged head. */
const beginsWhole = async (segment: ReadableJournalSegment): Promise<boolean> => {
  for await (const _ of readJournalFrames(segment.chunks(0), { wholeBytes: 0, isCut: false })) return true;
  return false;
};

const isLine = ({ what }: ParsedJournalEntryWithText['entry']): boolean => what === 'write' || what === 'saw';

const lengthOfHead = async (segment: ReadableJournalSegment): Promise<number | undefined> => {
  if (segment.isCompressed) return undefined;
  for await (const chunk of segment.chunks(0)) {
    const length = readFramedLineLength(chunk);
    return length > 0 && length <= segment.size ? length : undefined;
  }
  return undefined;
};

/** Lines of segments that have no head, above some numbers. Throws `JournalDamaged` where some are missing. */
export async function* readLinesAfterDamagedHead(
  files: readonly SegmentFile[],
  above: ReadonlyMap<number, number>,
): AsyncGenerator<JournalLine, void> {
  const read = new Map<number, number>();
  for (const file of files) {
    const segment = await openJournalSegmentForReading(file);
    const start = await findLinesStartAfterDamagedHead(segment);
    if (start === undefined) throw damagedHeadError(segment);
    const progress: JournalReadProgress = { wholeBytes: start, isCut: false };
    for await (const { entry, text } of readSegmentEntries(segment, progress)) {
      if (entry.what !== 'write') continue;
      const { lane, number, era, position, textFrom } = entry;
      const before = read.get(lane);
      if (before !== undefined && number <= before) continue;
      if (before !== undefined && number > before + 1)
        throw new JournalDamaged(segment.path, progress.wholeBytes, 'the journal lacks lines');
      read.set(lane, number);
      if (number > (above.get(lane) ?? 0))
        yield { lane, number, era, position, text: journalLineBytesToText(text.subarray(textFrom)) };
    }
  }
}
