/**
 * Lines that are known to be whole: `<crc32> <bytes> <text>` and a line feed, where the first two are eight digits each,
 * hexadecimal and decimal, and speak of the text in UTF-8.
 */
import { crc32 } from 'node:zlib';

/** The longest text of a line, bytes. */
export const MOST_LINE_BYTES = 64 * 1024 * 1024;

const BLANK = '00000000 00000000 ';
const PREFIX_BYTES = BLANK.length;
const PREFIX = /^([0-9a-f]{8}) (\d{8}) $/;
const LINE_FEED = 10;

/** Lines up to this length, of 3 bytes a letter at most, are put together in one place, and copied from there. */
const DRAFT_BYTES = 8 * 1024 * 1024;
let draft = Buffer.alloc(0);

/**
 * A text, given in pieces, as a line. Throws `RangeError` for one that is longer than `MOST_LINE_BYTES`.
 *
 * Pieces go to the line one by one: joined, they would be copied twice more.
 */
export const frame = (pieces: readonly string[]): Buffer => {
  let letters = 0;
  for (const { length } of pieces) letters += length;
  const line =
    3 * letters + PREFIX_BYTES + 1 <= DRAFT_BYTES
      ? drafted(pieces)
      : Buffer.from(`${BLANK}${pieces.join('')}\n`);
  const length = line.length - PREFIX_BYTES - 1;
  if (length > MOST_LINE_BYTES) throw new RangeError(`a line of the journal is too long (${length} bytes)`);
  const sum = crc32(line.subarray(PREFIX_BYTES, -1)).toString(16).padStart(8, '0');
  line.write(`${sum} ${String(length).padStart(8, '0')} `, 'latin1');
  return line;
};

const drafted = (pieces: readonly string[]): Buffer => {
  if (draft.length === 0) draft = Buffer.allocUnsafeSlow(DRAFT_BYTES);
  let at = PREFIX_BYTES;
  for (const piece of pieces) at += draft.write(piece, at);
  draft[at] = LINE_FEED;
  return Buffer.from(draft.subarray(0, at + 1));
};

/** The text of a whole line. */
export interface Frame {
  text: Buffer;
  /** Where the line begins, bytes. */
  offset: number;
}

/** How far lines were read. */
export interface ReadProgress {
  /** The end of the last whole line, bytes. */
  wholeBytes: number;
  /** Something stands behind it that is no whole line. */
  isCut: boolean;
}

/** The whole lines of a file, up to the first that is not; `progress` begins with where the file is read from. */
export async function* frames(
  chunks: AsyncIterable<Buffer>,
  progress: ReadProgress,
): AsyncGenerator<Frame, void> {
  let held: Buffer[] = [];
  let bytes = 0;
  let needed = PREFIX_BYTES;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < needed) continue;
    let rest = held.length === 1 ? chunk : Buffer.concat(held);
    for (needed = lineBytes(rest); rest.length >= needed; needed = lineBytes(rest)) {
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

/** How long the line at the beginning says it is; 0: it is none. */
const lineBytes = (bytes: Buffer): number => {
  if (bytes.length < PREFIX_BYTES) return PREFIX_BYTES;
  const length = Number(prefixOf(bytes)?.[2] ?? Infinity);
  return length > MOST_LINE_BYTES ? 0 : PREFIX_BYTES + length + 1;
};

const prefixOf = (bytes: Buffer): RegExpExecArray | null =>
  PREFIX.exec(bytes.toString('latin1', 0, PREFIX_BYTES));

const wholeText = (line: Buffer): Buffer | undefined => {
  if (line.at(-1) !== LINE_FEED) return undefined;
  const text = line.subarray(PREFIX_BYTES, -1);
  return crc32(text) === parseInt(prefixOf(line)![1]!, 16) ? text : undefined;
};

/**
 * Whether a whole line follows somewhere behind what is none. A file that was cut short while it was written has none
 * there; one that was damaged has.
 */
export async function hasFrame(
  bytesFrom: (offset: number) => AsyncIterable<Buffer>,
  from: number,
): Promise<boolean> {
  let offset = from;
  let tail = Buffer.alloc(0);
  for await (const chunk of bytesFrom(from)) {
    const bytes = Buffer.concat([tail, chunk]);
    for (const start of plausibleStarts(bytes))
      for await (const _ of frames(bytesFrom(offset + start), { wholeBytes: 0, isCut: false })) return true;
    const kept = Math.min(bytes.length, PREFIX_BYTES);
    tail = bytes.subarray(bytes.length - kept);
    offset += bytes.length - kept;
  }
  return false;
}

/** Where a line may begin, by its first bytes: behind a line feed. */
function* plausibleStarts(bytes: Buffer): Generator<number> {
  for (let at = bytes.indexOf(LINE_FEED) + 1; at > 0; at = bytes.indexOf(LINE_FEED, at) + 1) {
    const first = bytes.subarray(at, at + PREFIX_BYTES);
    if (first.length === PREFIX_BYTES && lineBytes(first) > 0) yield at;
  }
}
