/**
 * Multipart bodies as a stream of parts, each of them a stream (RFC 7578). Pulled by whoever reads: nothing is held
 * but a chunk and a boundary's length.
 */
import { UploadRefused } from './refused.ts';

/** A part. Its content must be read, or left, before the next part is asked for. */
export interface Part {
  /** One character a byte, as they came; so are the others. */
  name: string;
  /** Undefined: a field, not a file. */
  fileName: string | undefined;
  /** Lower case, without parameters; empty when there is none. */
  contentType: string;
  content: AsyncIterable<Buffer>;
}

const maxHeaderBytes = 16 * 1024;
const maxBoundaryLength = 200;

/** The boundary a content type names; undefined for none. */
export const boundaryOf = (contentType: string): string | undefined => {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain ?? '';
  return boundary !== '' && boundary.length <= maxBoundaryLength ? boundary : undefined;
};

/** The parts in order. Throws `UploadRefused`: `partial` when the end is missing, `unreadable`. */
export async function* readParts(source: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Part> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const bytes = new Bytes(source, Buffer.from('\r\n'));
  try {
    await collect(bytes.until(delimiter), maxHeaderBytes);
    while ((await bytes.peek(2)).toString('latin1') !== '--') {
      const headers = readHeaders(await collect(bytes.until(headersEnd), maxHeaderBytes));
      const content = bytes.until(delimiter);
      yield { ...headers, content };
      if (!content.ended) for await (const _ of bytes.until(delimiter));
    }
    await bytes.drain();
  } finally {
    await bytes.leave();
  }
}

const headersEnd = Buffer.from('\r\n\r\n');

const collect = async (pieces: AsyncIterable<Buffer>, most: number): Promise<string> => {
  let text = '';
  for await (const piece of pieces) {
    text += piece.toString('latin1');
    if (text.length > most) throw new UploadRefused('unreadable');
  }
  return text;
};

/** A source of bytes that can be read up to a mark. */
class Bytes {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer;

  constructor(source: AsyncIterable<Buffer>, first: Buffer) {
    this.#source = source[Symbol.asyncIterator]();
    this.#held = first;
  }

  /** The next bytes, left where they are. */
  async peek(count: number): Promise<Buffer> {
    while (this.#held.length < count) await this.#more();
    return this.#held.subarray(0, count);
  }

  /** What comes after the last part means nothing, but the connection wants it read. */
  async drain(): Promise<void> {
    while (!(await this.#source.next()).done);
  }

  async leave(): Promise<void> {
    await this.#source.return?.();
  }

  /** All up to the mark, which is passed over. `ended` tells whether the mark was reached. */
  until(mark: Buffer): AsyncIterable<Buffer> & { readonly ended: boolean } {
    const state = { ended: false };
    const pieces = this.#until(mark, state);
    return {
      get ended() {
        return state.ended;
      },
      [Symbol.asyncIterator]: () => pieces,
    };
  }

  async *#until(mark: Buffer, state: { ended: boolean }): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      state.ended = at >= 0;
      // What may be the beginning of the mark stays.
      const upTo = state.ended ? at : Math.max(0, this.#held.length - mark.length + 1);
      const piece = this.#held.subarray(0, upTo);
      this.#held = this.#held.subarray(state.ended ? at + mark.length : upTo);
      if (piece.length > 0) yield piece;
      if (state.ended) return;
      await this.#more();
    }
  }

  async #more(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) throw new UploadRefused('partial');
    this.#held = this.#held.length === 0 ? next.value : Buffer.concat([this.#held, next.value]);
  }
}

const readHeaders = (text: string): Omit<Part, 'content'> => {
  const disposition = headerOf(text, 'content-disposition');
  const name = parameterOf(disposition, 'name');
  if (!/^form-data\b/i.test(disposition) || name === undefined) throw new UploadRefused('unreadable');
  return {
    name,
    fileName: extendedOf(disposition) ?? parameterOf(disposition, 'filename'),
    contentType: headerOf(text, 'content-type').split(';')[0]!.trim().toLowerCase(),
  };
};

const headerOf = (text: string, name: string): string => {
  const line = text.split('\r\n').find((one) => one.toLowerCase().startsWith(`${name}:`));
  return line?.slice(name.length + 1).trim() ?? '';
};

/** Browsers write a quote as %22, others as \"; a backslash before anything else is part of a Windows path. */
const parameterOf = (header: string, name: string): string | undefined => {
  const [, quoted, plain] =
    new RegExp(`;\\s*${name}=(?:"((?:\\\\"|[^"])*)"|([^\\s;"]*))`, 'i').exec(header) ?? [];
  return quoted?.replaceAll('\\"', '"').replaceAll('%22', '"') ?? plain;
};

/** `filename*=UTF-8''…`, as bytes. */
const extendedOf = (header: string): string | undefined =>
  /;\s*filename\*=utf-8'[^']*'([^\s;]*)/i
    .exec(header)?.[1]
    ?.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
