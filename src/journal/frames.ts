/**
 * Lines that are known to be whole: `<crc32> <bytes> <text>` and a line feed, where the first two are eight digits each,
 * hexadecimal and decimal, and speak of the text: UTF-8, or bytes that are no text.
 */
import { crc32 } from 'node:zlib';
import { type JournalLineChunks, MOST_JOURNAL_LINE_BYTES } from '../engine/contract/journal.ts';

const BLANK = '00000000 00000000 ';
const PREFIX_BYTES = BLANK.length;
const PREFIX = /^([0-9a-f]{8}) (\d{8}) $/;
const LINE_FEED = 10;

/** Texts up to this length, of 3 bytes a letter at most, are put together in one place, and copied from there. */
const DRAFT_BYTES = 8 * 1024 * 1024;
/** Fewer letters are joined: that costs less than to write each of their texts by itself. */
const FEW_LETTERS = 16_384;
let draft = Buffer.alloc(0);

/** A whole line, as buffers that stand one after the other. */
export interface FramedLine {
  buffers: readonly Uint8Array[];
  bytes: number;
}

const END = Buffer.from('\n');

/**
 * What a line says, in pieces, as a line. Throws `RangeError` for one that is longer than `MOST_JOURNAL_LINE_BYTES`.
 *
 * Bytes are taken as they are and must not change any more. Long texts go to the line one by one: joined, they would be
 * copied twice more.
 */
export const frameJournalLine = (pieces: JournalLineChunks): FramedLine => {
  const buffers: Uint8Array[] = [];
  let texts = [BLANK];
  for (const piece of pieces) {
    if (typeof piece === 'string') texts.push(piece);
    else {
      if (texts.length > 0) buffers.push(encoded(texts));
      buffers.push(piece);
      texts = [];
    }
  }
  if (texts.length > 0) buffers.push(encoded(texts));
  const [first, ...others] = buffers as [Buffer, ...Uint8Array[]];
  const length = buffers.reduce((sum, buffer) => sum + buffer.length, -PREFIX_BYTES);
  if (length > MOST_JOURNAL_LINE_BYTES)
    throw new RangeError(`a line of the journal is too long (${length} bytes)`);
  let sum = crc32(first.subarray(PREFIX_BYTES));
  for (const buffer of others) sum = crc32(buffer, sum);
  first.write(`${sum.toString(16).padStart(8, '0')} ${String(length).padStart(8, '0')} `, 'latin1');
  return { buffers: [...buffers, END], bytes: PREFIX_BYTES + length + END.length };
};

const encoded = (texts: readonly string[]): Buffer => {
  let letters = 0;
  for (const { length } of texts) letters += length;
  if (letters < FEW_LETTERS || 3 * letters > DRAFT_BYTES) return Buffer.from(texts.join(''));
  if (draft.length === 0) draft = Buffer.allocUnsafeSlow(DRAFT_BYTES);
  let at = 0;
  for (const text of texts) at += draft.write(text, at);
  return Buffer.from(draft.subarray(0, at));
};

/** The text of a whole line. */
export interface JournalFrame {
  text: Buffer;
  /** Where the line begins, bytes. */
  offset: number;
}

/** How far lines were read. */
export interface JournalReadProgress {
  /** The end of the last whole line, bytes. */
  wholeBytes: number;
  /** Something stands behind it that is no whole line. */
  isCut: boolean;
}

/** The whole lines of a file, up to the first that is not; `progress` begins with where the file is read from. */
export async function* readJournalFrames(
  chunks: AsyncIterable<Buffer>,
  progress: JournalReadProgress,
): AsyncGenerator<JournalFrame, void> {
  let held: Buffer[] = [];
  let bytes = 0;
  let needed = PREFIX_BYTES;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < needed) continue;
    let rest = held.length === 1 ? chunk : Buffer.concat(held);
    for (needed = readFramedLineLength(rest); rest.length >= needed; needed = readFramedLineLength(rest)) {
      const text = wholeText(rest.subarray(0, needed));
      progress.isCut = !text;
      if (!text) return;
      const offset = progress.wholeBytes;
      progress.wholeBytes += needed;
      yield { text, offset };
      rest = rest.subarray(needed);
    }
    held = [rest];
    bytes = rest.length;
  }
  progress.isCut = bytes > 0;
}

/** How long the line at the beginning says it is, bytes; 0: it is none. Of fewer than its first ones: what it takes to tell. */
export const readFramedLineLength = (bytes: Buffer): number => {
  if (bytes.length < PREFIX_BYTES) return PREFIX_BYTES;
  const length = Number(prefixOf(bytes)?.[2] ?? Infinity);
  return length > MOST_JOURNAL_LINE_BYTES ? 0 : PREFIX_BYTES + length + 1;
};

const prefixOf = (bytes: Buffer): RegExpExecArray | null =>
  PREFIX.exec(bytes.toString('latin1', 0, PREFIX_BYTES));

const wholeText = (line: Buffer): Buffer | undefined => {
  if (line.at(-1) !== LINE_FEED) return undefined;
  const text = line.subarray(PREFIX_BYTES, -1);
  return crc32(text) === parseInt(prefixOf(line)![1]!, 16) ? text : undefined;
};

/**
 * Where the next whole line begins behind what is none, bytes; undefined: there is none. A file that was cut short while it
 * was written has none there; one that was damaged has.
 */
export const findNextJournalFrame = async (
  bytesFrom: (offset: number) => AsyncIterable<Buffer>,
  from: number,
): Promise<number | undefined> => {
  let offset = from;
  let tail = Buffer.alloc(0);
  for await (const chunk of bytesFrom(from)) {
    const bytes = Buffer.concat([tail, chunk]);
    for (const start of plausibleStarts(bytes))
      for await (const _ of readJournalFrames(bytesFrom(offset + start), { wholeBytes: 0, isCut: false }))
        return offset + start;
    const kept = Math.min(bytes.length, PREFIX_BYTES);
    tail = bytes.subarray(bytes.length - kept);
    offset += bytes.length - kept;
  }
  return undefined;
};

/** Where a line may begin, by its first bytes: behind a line feed. */
function* plausibleStarts(bytes: Buffer): Generator<number> {
  for (let at = bytes.indexOf(LINE_FEED) + 1; at > 0; at = bytes.indexOf(LINE_FEED, at) + 1) {
    const first = bytes.subarray(at, at + PREFIX_BYTES);
    if (first.length === PREFIX_BYTES && readFramedLineLength(first) > 0) yield at;
  }
}
