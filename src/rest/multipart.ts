/**
 * Multipart bodies as a stream of parts, each of them a stream (RFC 7578): the reader of all doors. `@fastify/busboy`
 * finds the boundaries and headers (its Dicer: Busboy itself decodes names as UTF-8, and ours are byte strings until
 * `encoding` is known). It is fed only when the reader wants more, so nothing is held but one chunk of the body.
 */
import { setImmediate } from 'node:timers/promises';
import { Dicer } from '@fastify/busboy';
import { parseContentDisposition } from './parseContentDisposition.ts';
import { UploadRefused } from './upload/refused.ts';

/** A part. Its content is read, or left, before the next part is asked for. */
export interface Part {
  /** One character a byte, as they came; so are the others. */
  name: string;
  /** Undefined: a field, not a file. */
  fileName: string | undefined;
  /** Lower case, without parameters; empty when there is none. */
  contentType: string;
  content: AsyncIterable<Buffer>;
}

/** Files and fields together. */
const maxParts = 1000;
/** Of one part. */
const maxHeaderBytes = 16 * 1024;
const maxHeaders = 50;
const maxBoundaryLength = 200;
/** While a header is not read to its end it is fed in steps of so many bytes, so that its length is known. */
const headerStep = 1024;

/** The boundary that a content type names; undefined for none. */
export const multipartBoundary = (contentType: string): string | undefined => {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain ?? '';
  return boundary !== '' && boundary.length <= maxBoundaryLength ? boundary : undefined;
};

/** The parts in order. Throws `UploadRefused` (`partial`, `discarded`, `unreadable`), and what the source throws. */
export async function* readParts(
  source: AsyncIterable<Buffer>,
  contentType: string,
): AsyncGenerator<Part, void, undefined> {
  const boundary = multipartBoundary(contentType);
  if (boundary === undefined) throw new UploadRefused('unreadable');
  const body = new MultipartBody(source, boundary);
  try {
    for (let part = await body.nextPart(); part; part = await body.nextPart()) {
      const { encoding, ...headers } = part.headers;
      const raw = body.contentOf(part);
      yield { ...headers, content: encoding === 'base64' ? fromBase64(raw) : raw };
      // What its reader left of it.
      for await (const _ of body.contentOf(part));
    }
    await body.drain();
  } finally {
    await body.leave();
  }
}

type PartHeaders = Omit<Part, 'content'> & { encoding: string };

/** What is known of a part so far. */
interface FoundPart {
  /** Undefined until they have come. */
  headers: PartHeaders | undefined;
  /** Content that was not read yet. */
  pieces: Buffer[];
  ended: boolean;
}

class MultipartBody {
  readonly #source: AsyncIterator<Buffer>;
  readonly #parser: Dicer;
  readonly #found: FoundPart[] = [];
  #count = 0;
  /** The part whose bytes are coming. */
  #current: FoundPart | undefined;
  #headerBytes = 0;
  #finished = false;
  #refused: UploadRefused | undefined;

  constructor(source: AsyncIterable<Buffer>, boundary: string) {
    this.#source = source[Symbol.asyncIterator]();
    this.#parser = parserOf(boundary);
    this.#parser.on('error', (cause) => this.#refuse('unreadable', cause));
    this.#parser.on('finish', () => (this.#finished = true));
    this.#parser.on('part', (stream) => this.#begin(stream));
  }

  /** Undefined: there is none any more. */
  async nextPart(): Promise<(FoundPart & { headers: PartHeaders }) | undefined> {
    for (;;) {
      const [part] = this.#found;
      if (part?.headers) {
        this.#found.shift();
        return part as FoundPart & { headers: PartHeaders };
      }
      // Its headers were cut off by the next boundary.
      if (part?.ended) throw new UploadRefused('unreadable');
      if (!part && this.#finished) return undefined;
      await this.#more();
    }
  }

  /** What comes after the last part means nothing, but the connection wants it read. */
  async drain(): Promise<void> {
    while (!(await this.#source.next()).done);
  }

  async leave(): Promise<void> {
    await this.#source.return?.();
  }

  async *contentOf(part: FoundPart): AsyncGenerator<Buffer> {
    for (;;) {
      const piece = part.pieces.shift();
      if (piece) yield piece;
      else if (part.ended) return;
      else await this.#more();
    }
  }

  /** Feeds one chunk of the body, and waits until the parser has told all that is in it. */
  async #more(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) throw new UploadRefused('partial');
    try {
      this.#feed(next.value);
    } catch (cause) {
      this.#refuse('unreadable', cause);
    }
    // Its streams speak in later ticks, all of which come before this.
    await setImmediate();
    if (this.#refused) throw this.#refused;
  }

  #feed(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && !this.#refused;) {
      const before = this.#current;
      const inHeader = before === undefined || before.headers === undefined;
      const upTo = inHeader ? Math.min(at + headerStep, chunk.length) : chunk.length;
      this.#parser.write(chunk.subarray(at, upTo));
      if (before && before === this.#current && before.headers === undefined) this.#headerBytes += upTo - at;
      if (this.#headerBytes > maxHeaderBytes) this.#refuse('unreadable');
      at = upTo;
    }
  }

  #begin(stream: Dicer.PartStream): void {
    const part: FoundPart = { headers: undefined, pieces: [], ended: false };
    this.#current = part;
    this.#headerBytes = 0;
    this.#count += 1;
    if (this.#count > maxParts) this.#refuse('discarded');
    else this.#found.push(part);
    stream.on('error', (cause) => this.#refuse('unreadable', cause));
    stream.on('header', (headers) => {
      part.headers = readHeaders(headers as Readonly<Record<string, string[]>>);
      if (!part.headers) this.#refuse('unreadable');
    });
    stream.on('data', (piece: Buffer) => part.pieces.push(kept(piece)));
    stream.on('end', () => (part.ended = true));
    // From here on a piece is told while the parser stands at it: later its bytes may be others.
    stream.read(0);
  }

  /** The first reason counts. */
  #refuse(why: 'unreadable' | 'discarded', cause?: unknown): void {
    this.#refused ??= new UploadRefused(why, { cause });
  }
}

/** Short pieces may lie in the parser's own memory, where it keeps what looked like a boundary. */
const kept = (piece: Buffer): Buffer => (piece.length <= 2 * maxBoundaryLength ? Buffer.from(piece) : piece);

const parserOf = (boundary: string): Dicer => {
  const limits = { boundary, maxHeaderPairs: maxHeaders, maxHeaderSize: maxHeaderBytes };
  return new Dicer(limits);
};

/** Undefined: the part has no name. */
const readHeaders = (headers: Readonly<Record<string, string[]>>): PartHeaders | undefined => {
  const first = (name: string): string => headers[name]?.[0] ?? '';
  const disposition = parseContentDisposition(first('content-disposition'));
  return (
    disposition && {
      ...disposition,
      contentType: first('content-type').split(';')[0]!.trim().toLowerCase(),
      encoding: first('content-transfer-encoding').trim().toLowerCase(),
    }
  );
};

/** What is none of its letters is passed over. */
async function* fromBase64(raw: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = '';
  for await (const piece of raw) {
    const letters = rest + piece.toString('latin1').replaceAll(/[^\w+/-]/g, '');
    const whole = letters.length - (letters.length % 4);
    rest = letters.slice(whole);
    yield Buffer.from(letters.slice(0, whole), 'base64');
  }
  yield Buffer.from(rest, 'base64');
}
