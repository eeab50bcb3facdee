/**
 * Tar (POSIX ustar, long names as pax), written and read as it streams: what is in an archive can be had without us.
 * Only what our own archives need is read: files, and names of theirs that are too long for a head.
 */

const BLOCK = 512;
/** A head has eleven octal digits for the size. */
const MOST_BYTES = 0o77777777777;
const LONGEST_NAME = 100;
/** Of a pax head that gives a long name. */
const MOST_PAX_BYTES = 4096;

/** What is read is no tar, or ends in the middle. */
export class BrokenTar extends Error {
  override readonly name = 'BrokenTar';
}

/** What stands before the bytes of a file. `size`: its bytes; `at`: epoch milliseconds. */
export const tarHead = (name: string, size: number, at: number): Buffer => {
  if (size > MOST_BYTES) throw new RangeError(`${name} is larger than 8 GB`);
  if (Buffer.byteLength(name) <= LONGEST_NAME) return headOf(name, size, at, '0');
  const pax = paxOf(name);
  const paxName = `pax/${name.slice(-LONGEST_NAME + 4)}`;
  return Buffer.concat([headOf(paxName, pax.length, at, 'x'), pax, tarPadding(pax.length), headOf(name.slice(0, LONGEST_NAME), size, at, '0')]); // prettier-ignore
};

/** What stands behind them. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

/** What ends a tar. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK);

const headOf = (name: string, size: number, at: number, type: '0' | 'x'): Buffer => {
  const head = Buffer.alloc(BLOCK);
  head.write(name, 0, LONGEST_NAME, 'utf8');
  head.write('0000600\0', 100, 'latin1');
  head.write('0000000\0', 108, 'latin1');
  head.write('0000000\0', 116, 'latin1');
  head.write(`${octal(size, 11)} `, 124, 'latin1');
  head.write(`${octal(Math.floor(at / 1000), 11)} `, 136, 'latin1');
  head.write('        ', 148, 'latin1');
  head.write(type, 156, 'latin1');
  head.write('ustar\u000000', 257, 'latin1');
  head.write(`${octal(checksumOf(head), 6)}\0 `, 148, 'latin1');
  return head;
};

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

/** The sum of its bytes, those of the sum itself taken for spaces. */
const checksumOf = (head: Buffer): number =>
  head.reduce((sum, byte, i) => sum + (i >= 148 && i < 156 ? 0x20 : byte), 0);

/** `<length of this line> path=<name>\n`, its own digits counted. */
const paxOf = (name: string): Buffer => {
  const rest = ` path=${name}\n`;
  let length = Buffer.byteLength(rest) + 2;
  while (`${length}`.length + Buffer.byteLength(rest) !== length) length += 1;
  return Buffer.from(`${length}${rest}`);
};

export interface TarFile {
  name: string;
  size: number;
  /** Its bytes, to be read to their end before the next file is asked for. */
  content(): AsyncGenerator<Buffer>;
}

/**
 * The files of a tar, one after the other. Throws `BrokenTar` when it is none, or ends before its end. The source is read to
 * its end, behind which a checksum of all of it may stand.
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarFile> {
  const bytes = new ByteReader(source);
  let longName: string | undefined;
  for (;;) {
    const head = await bytes.exactly(BLOCK);
    if (head.every((byte) => byte === 0)) return bytes.toEnd();
    const { name, size, type } = readHead(head);
    if (type === 'x') {
      longName = await readPax(bytes, size);
      continue;
    }
    if (type !== '0') throw new BrokenTar(`${name} is no file`);
    let left = size;
    const content = async function* (): AsyncGenerator<Buffer> {
      while (left > 0) {
        const part = await bytes.upTo(left);
        left -= part.length;
        yield part;
      }
    };
    yield { name: longName ?? name, size, content };
    longName = undefined;
    while (left > 0) left -= (await bytes.upTo(left)).length;
    await bytes.exactly(tarPadding(size).length);
  }
}

const readHead = (head: Buffer): { name: string; size: number; type: string } => {
  if (Number.parseInt(textOf(head, 148, 8), 8) !== checksumOf(head))
    throw new BrokenTar('the head of a file is damaged');
  const size = Number.parseInt(textOf(head, 124, 12), 8);
  if (!Number.isSafeInteger(size)) throw new BrokenTar('the size of a file cannot be read');
  return { name: textOf(head, 0, LONGEST_NAME), size, type: textOf(head, 156, 1) };
};

const textOf = (head: Buffer, at: number, length: number): string => {
  const field = head.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.subarray(0, end === -1 ? length : end).toString('utf8');
};

const readPax = async (bytes: ByteReader, size: number): Promise<string> => {
  if (size > MOST_PAX_BYTES) throw new BrokenTar('the name of a file is too long');
  const text = (await bytes.exactly(size)).toString('utf8');
  await bytes.exactly(tarPadding(size).length);
  const name = /^\d+ path=([^\n]*)\n$/.exec(text)?.[1];
  if (name === undefined) throw new BrokenTar('the name of a file cannot be read');
  return name;
};

/** Bytes of a stream in the portions that are asked for. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** At least one byte, at most so many. */
  async upTo(most: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const next = await this.#source.next();
      if (next.done) throw new BrokenTar('it ends too soon');
      this.#rest = next.value;
    }
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  /** Passes over all that is left. */
  async toEnd(): Promise<void> {
    while (!(await this.#source.next()).done);
  }

  async exactly(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = length; left > 0;) {
      const part = await this.upTo(left);
      parts.push(part);
      left -= part.length;
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }
}
