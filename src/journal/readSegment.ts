/** Reads one segment: its lines, or where they end. */
import { JournalUnreadable } from '../engine/contract/journal.ts';
import { type ParsedJournalEntry, type Head, NewerJournalFormat, parseJournalEntry } from './entries.ts';
import { readJournalFrames, findNextJournalFrame, type JournalReadProgress } from './frames.ts';
import { openJournalSegmentForReading, type ReadableJournalSegment, type SegmentFile } from './segments.ts';

/** A journal lacks lines, or has some that differ from what was written. */
export class JournalDamaged extends JournalUnreadable {
  override name = 'JournalDamaged';
  readonly path: string;
  /** Where the file is damaged, bytes; of a compressed one, what it was before. */
  readonly offset: number;

  constructor(path: string, offset: number, what: string, options?: ErrorOptions) {
    super(`${what} (${path}, at byte ${offset})`, options);
    this.path = path;
    this.offset = offset;
  }
}

export interface ParsedJournalEntryWithText {
  entry: ParsedJournalEntry;
  text: Buffer;
}

/** The entries of a segment as far as they are whole. Throws `JournalDamaged` for what a newer release wrote. */
export async function* readSegmentEntries(
  segment: ReadableJournalSegment,
  progress: JournalReadProgress,
): AsyncGenerator<ParsedJournalEntryWithText, void> {
  try {
    for await (const { text, offset } of readJournalFrames(segment.chunks(progress.wholeBytes), progress)) {
      const entry = entryOf(text, segment.path, offset);
      if (offset === 0 && entry.what !== 'head' && entry.what !== 'end') break;
      yield { entry, text };
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    progress.isCut = true;
  }
}

const entryOf = (text: Buffer, path: string, offset: number): ParsedJournalEntry => {
  try {
    return parseJournalEntry(text);
  } catch (error) {
    const what = error instanceof NewerJournalFormat ? error.message : 'this is no line of a journal';
    throw new JournalDamaged(path, offset, what, { cause: error });
  }
};

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

/** The head of a segment; undefined: it has none that is whole. */
export const readSegmentHead = async (file: SegmentFile): Promise<Head | undefined> => {
  for await (const { entry } of readSegmentEntries(await openJournalSegmentForReading(file), {
    wholeBytes: 0,
    isCut: false,
  }))
    if (entry.what !== 'end') return entry.what === 'head' ? entry : undefined;
  return undefined;
};

/** A line cut short at the end is no damage: its writer was killed, or is writing it now. */
export const findSegmentDamage = async (
  segment: ReadableJournalSegment,
  offset: number,
): Promise<JournalDamaged | undefined> => {
  const isDamaged =
    segment.isCompressed ||
    (await findNextJournalFrame((from) => segment.chunks(from), offset)) !== undefined;
  return isDamaged ? new JournalDamaged(segment.path, offset, 'the journal is damaged') : undefined;
};

/** The entries that stand whole behind damage, wherever they begin; what is damaged among them is passed over. */
export async function* readSegmentEntriesBehindDamage(
  segment: ReadableJournalSegment,
  offset: number,
): AsyncGenerator<ParsedJournalEntryWithText, void> {
  if (segment.isCompressed) return;
  const next = (from: number) => findNextJournalFrame((at) => segment.chunks(at), from);
  for (let from = await next(offset); from !== undefined;) {
    const progress = { wholeBytes: from, isCut: false };
    yield* readSegmentEntries(segment, progress);
    from = progress.isCut ? await next(progress.wholeBytes) : undefined;
  }
}
