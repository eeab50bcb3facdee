/** Reads one segment: its lines, or where they end. */
import { JournalUnreadable } from '../engine/contract/journal.ts';
import { copyOf, type Entry, type Head, NewerFormat, passWrite, type Reached, readEntry } from './entries.ts';
import { frames, hasFrame, type ReadProgress } from './frames.ts';
import { findSegment, type OpenSegment, type SegmentFile } from './segments.ts';

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

export interface ReadEntry {
  entry: Entry;
  text: Buffer;
}

/** The entries of a segment as far as they are whole. Throws `JournalDamaged` for what a newer release wrote. */
export async function* entriesOf(
  segment: OpenSegment,
  progress: ReadProgress,
): AsyncGenerator<ReadEntry, void> {
  try {
    for await (const { text, offset } of frames(segment.chunks(progress.wholeBytes), progress)) {
      const entry = entryOf(text, segment.path, offset);
      if (offset === 0 && entry.what !== 'head' && entry.what !== 'end') break;
      yield { entry, text };
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    progress.isCut = true;
  }
}

const entryOf = (text: Buffer, path: string, offset: number): Entry => {
  try {
    return readEntry(text);
  } catch (error) {
    const what = error instanceof NewerFormat ? error.message : 'this is no line of a journal';
    throw new JournalDamaged(path, offset, what, { cause: error });
  }
};

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

/** The head of a segment; undefined: it has none that is whole. */
export const headOf = async (file: SegmentFile): Promise<Head | undefined> => {
  for await (const { entry } of entriesOf(await findSegment(file), { wholeBytes: 0, isCut: false }))
    if (entry.what !== 'end') return entry.what === 'head' ? entry : undefined;
  return undefined;
};

/** A segment without its writes. */
export interface Summary {
  /** In its end, or where it is damaged. */
  reached: Reached;
  /** Else nothing in it can be read. */
  hasHead: boolean;
  wholeBytes: number;
  /** Bytes behind the last whole line; 0: none. */
  tornBytes: number;
  /** It is damaged: whole lines follow on something that is none. */
  damage?: JournalDamaged;
}

/** What a segment reaches. `before`: what was found in it the last time, which is not read again. */
export const summarize = async (segment: OpenSegment, before?: Summary): Promise<Summary> => {
  const progress = { wholeBytes: before?.wholeBytes ?? 0, isCut: false };
  let reached = before ? copyOf(before.reached) : NOTHING;
  for await (const { entry } of entriesOf(segment, progress)) {
    if (entry.what === 'end') return { reached: entry, hasHead: true, wholeBytes: 0, tornBytes: 0 };
    reached = after(reached, entry);
  }
  return { reached, hasHead: progress.wholeBytes > 0, ...(await endOf(segment, progress)) };
};

const endOf = async (
  segment: OpenSegment,
  { wholeBytes, isCut }: ReadProgress,
): Promise<Pick<Summary, 'wholeBytes' | 'tornBytes' | 'damage'>> => {
  if (!isCut) return { wholeBytes, tornBytes: 0 };
  const damage = await damageOf(segment, wholeBytes);
  return { wholeBytes, tornBytes: Math.max(1, segment.size - wholeBytes), ...(damage && { damage }) };
};

/** Before the head, which says more. */
const NOTHING: Reached = { last: new Map(), seen: new Set(), at: 0, era: 0 };

/** A line cut short at the end is no damage: its writer was killed, or is writing it now. */
export const damageOf = async (segment: OpenSegment, offset: number): Promise<JournalDamaged | undefined> => {
  const isDamaged = segment.isCompressed || (await hasFrame((from) => segment.chunks(from), offset));
  return isDamaged ? new JournalDamaged(segment.path, offset, 'the journal is damaged') : undefined;
};

/** Changes `reached`, and gives it back: there are many lines. */
const after = (reached: Reached, entry: Exclude<Entry, { what: 'end' }>): Reached => {
  if (entry.what === 'head') return copyOf(entry);
  reached.at = entry.at;
  if (entry.what === 'saw') for (const one of entry.incarnations) reached.seen.add(one);
  else passWrite(reached, entry);
  return reached;
};
