/** What the lines of a segment say, and how they are read. */
import type { JournalOwner, JournalWritePosition } from '../engine/contract/journal.ts';

/** What this release writes, and the newest it reads. */
const FORMAT = 1;

/** What was appended before some point of a journal. */
export interface JournalProgress {
  /** The number of the last write of each lane; a lane without one is absent. */
  last: Map<number, number>;
  /** Incarnations that were seen alive. */
  seen: Set<number>;
  /** Shard's time of the last line, epoch milliseconds. */
  at: number;
  /** The highest of the writes (`DatabaseWithSchemas`). */
  era: number;
}

/** The first line of a segment. */
export interface Head extends JournalProgress {
  what: 'head';
  owner: JournalOwner;
}

/** A write; its text is what follows `textFrom` in the line. */
export interface ParsedJournalWrite extends JournalWritePosition {
  what: 'write';
  at: number;
  textFrom: number;
}

export interface SeenIncarnationsEntry {
  what: 'saw';
  at: number;
  incarnations: readonly number[];
}

/** What a compressed segment reaches in its end, said before its head. */
export interface CompressedSegmentReachEntry extends JournalProgress {
  what: 'end';
}

export type ParsedJournalEntry =
  | Head
  | ParsedJournalWrite
  | SeenIncarnationsEntry
  | CompressedSegmentReachEntry;

/** A line that a newer release wrote. */
export class NewerJournalFormat extends Error {
  override name = 'NewerJournalFormat';
}

export const formatSegmentHead = (owner: JournalOwner, reached: JournalProgress): string =>
  `h ${JSON.stringify({ format: FORMAT, owner, ...plain(reached) })}`;

/** What stands before the text of a write. */
export const formatJournalPositionPrefix = (
  { lane, number, era, position }: JournalWritePosition,
  at: number,
): string => `d ${lane} ${number} ${era} ${position} ${at} `;

export const formatSeenIncarnations = (incarnations: readonly number[], at: number): string =>
  `s ${JSON.stringify({ at, incarnations })}`;

export const formatSegmentEnd = (reached: JournalProgress): string => `e ${JSON.stringify(plain(reached))}`;

/** Throws `NewerJournalFormat`, and `SyntaxError` for what is no line of ours. */
export const parseJournalEntry = (text: Buffer): ParsedJournalEntry => {
  switch (text.toString('latin1', 0, 2)) {
    case 'd ':
      return readWriteEntry(text);
    case 's ':
      return { what: 'saw', ...(jsonOf(text) as Omit<SeenIncarnationsEntry, 'what'>) };
    case 'h ':
      return readHead(jsonOf(text) as PlainHead);
    case 'e ':
      return { what: 'end', ...read(jsonOf(text) as PlainReached) };
    default:
      throw new SyntaxError('this is no line of a journal');
  }
};

interface PlainReached {
  at: number;
  last: [number, number][];
  seen: number[];
  /** Absent in what a release before wrote. */
  era?: number;
}

interface PlainHead extends PlainReached {
  format: number;
  owner: JournalOwner;
}

export const cloneJournalProgress = ({ last, seen, at, era }: JournalProgress): JournalProgress => ({
  last: new Map(last),
  seen: new Set(seen),
  at,
  era,
});

/** Changes `reached` to what it is after a write. */
export const advanceJournalProgress = (
  reached: JournalProgress,
  { lane, number, era }: Pick<JournalWritePosition, 'lane' | 'number' | 'era'>,
): void => {
  reached.last.set(lane, Math.max(number, reached.last.get(lane) ?? 0));
  reached.era = Math.max(reached.era, era);
};

const plain = ({ at, last, seen, era }: JournalProgress): PlainReached => ({
  at,
  last: [...last],
  seen: [...seen],
  era,
});

const read = ({ at, last, seen, era = 0 }: PlainReached): JournalProgress => ({
  at,
  last: new Map(last),
  seen: new Set(seen),
  era,
});

const readHead = ({ format, owner, ...reached }: PlainHead): Head => {
  if (format !== FORMAT) throw new NewerJournalFormat(`a newer release wrote it (format ${format})`);
  return { what: 'head', owner, ...read(reached) };
};

const jsonOf = (text: Buffer): unknown => JSON.parse(text.toString('utf8', 2));

/** Five numbers of at most 24 characters, and what is around them. */
const WRITE_PREFIX_BYTES = 128;
const WRITE = /^d (\d+) (\d+) (\S+) (\S+) (\S+) /;

const readWriteEntry = (text: Buffer): ParsedJournalWrite => {
  const found = WRITE.exec(text.toString('latin1', 0, WRITE_PREFIX_BYTES));
  if (!found) throw new SyntaxError('this is no line of a journal');
  const [lane, number, era, position, at] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { what: 'write', lane, number, era, position, at, textFrom: found[0].length };
};
