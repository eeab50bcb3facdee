/**
 * The lines of one journal that are whole, wherever they stand: damage is passed over, and named where a line may have been
 * in it. For lines that need none before them, as changes of rows do not.
 */
import { type JournalLine, journalLineBytesToText } from '../engine/contract/journal.ts';
import { findFirstNeededSegment, hasReadUpTo } from './readJournalLines.ts';
import {
  findSegmentDamage,
  JournalDamaged,
  type ParsedJournalEntryWithText,
  readSegmentEntries,
  readSegmentEntriesBehindDamage,
} from './readSegment.ts';
import {
  isProcessResourceError,
  listJournalSegments,
  openJournalSegmentForReading,
  segmentFilePath,
  type SegmentFile,
} from './segments.ts';

/** Damage that was come upon, until the next line tells whether one was lost in it. */
interface Doubt {
  damage: JournalDamaged | undefined;
}

/**
 * Lines above these numbers by lane. `damaged`: hears of each place where lines are missing or cannot be read, before the first
 * line behind it comes. Rejects when this process cannot look (it has no handle or no memory left).
 */
export async function* readWholeJournalLines(
  folder: string,
  incarnation: number,
  above: ReadonlyMap<number, number>,
  damaged: (damage: JournalDamaged) => void,
): AsyncGenerator<JournalLine, void> {
  const all = (await listJournalSegments(folder)).filter((file) => file.incarnation === incarnation);
  const files = all.slice(await findFirstNeededSegment(all, above).catch(firstOfAll));
  const read = new Map(above);
  const doubt: Doubt = { damage: undefined };
  const settle = (isLost: boolean): void => {
    if (isLost && doubt.damage) damaged(doubt.damage);
    doubt.damage = undefined;
  };
  for (const file of files)
    for await (const { entry, text } of entriesOf(file, doubt)) {
      if (entry.what === 'head') {
        const isLost = file !== files[0] && !hasReadUpTo(read, entry.last);
        if (isLost) doubt.damage ??= lacksLines(file);
        settle(isLost);
        for (const [lane, number] of entry.last) read.set(lane, Math.max(number, read.get(lane) ?? 0));
      }
      if (entry.what !== 'write') continue;
      const { lane, number, era, position, textFrom } = entry;
      const before = read.get(lane) ?? 0;
      settle(number > before + 1);
      if (number <= before) continue;
      read.set(lane, number);
      yield { lane, number, era, position, text: journalLineBytesToText(text.subarray(textFrom)) };
    }
  settle(true);
}

/** Heads that cannot be read are come upon once more. */
const firstOfAll = (error: unknown): number => {
  if (isProcessResourceError(error)) throw error;
  return 0;
};

const lacksLines = (file: SegmentFile): JournalDamaged =>
  new JournalDamaged(segmentFilePath(file), 0, 'the journal lacks lines before this');

/** What is whole in a segment. What is not is noted in `doubt`. */
async function* entriesOf(file: SegmentFile, doubt: Doubt): AsyncGenerator<ParsedJournalEntryWithText, void> {
  const progress = { wholeBytes: 0, isCut: false };
  try {
    const segment = await openJournalSegmentForReading(file);
    yield* readSegmentEntries(segment, progress);
    if (!progress.isCut) return;
    doubt.damage ??= await findSegmentDamage(segment, progress.wholeBytes);
    yield* readSegmentEntriesBehindDamage(segment, progress.wholeBytes);
  } catch (error) {
    if (isProcessResourceError(error)) throw error;
    doubt.damage ??=
      error instanceof JournalDamaged
        ? error
        : new JournalDamaged(segmentFilePath(file), progress.wholeBytes, (error as Error).message, {
            cause: error,
          });
  }
}
