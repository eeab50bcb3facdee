/**
 * The body of an operation that takes files: streamed to disk, whatever its form is; parameters come out of it as
 * from any other body. Whoever sends it must be known before much of it is kept.
 */
import type { Uploads, UploadedFile, UploadRules } from '../../operations/upload.ts';
import { guessBytes } from '../../rules/encoding.ts';
import { accessErrors, type AccessRefusal } from '../../access/authenticate.ts';
import { isBrokenOff, type ReadBody, readForm, readJson } from '../body.ts';
import type { BodyScan } from '../bodyScan.ts';
import type { Sender } from '../sender.ts';
import type { Allowance } from './allowance.ts';
import { receiveMultipart } from './receiveMultipart.ts';
import { receiveSplit } from './receiveSplit.ts';
import { UploadRefused } from './refused.ts';
import { type FileAbout, type FileSink, HeldFiles } from './temporary.ts';

export interface UploadLimits {
  /** Of all files and long parameters of a request together. */
  maxFileBytes: number;
  /** Of everything else in it. */
  maxRestBytes: number;
}

export interface UploadRequest {
  source: AsyncIterable<Buffer>;
  /** Header as it came. */
  contentType: string;
  /** Undefined: not announced. */
  contentLength: number | undefined;
  rules: UploadRules;
  limits: UploadLimits;
  /** Where this node keeps temporary files. */
  folder: string;
  /** For callers that have not shown a token yet. */
  allowance: Allowance;
  /** Has the room in memory. */
  sender: Sender;
  /**
   * Asked once, before anything is written, with the parameters known by then: `known` may write, `unknown` has shown
   * no token yet, and a refusal ends it.
   */
  admit(given: Readonly<Record<string, unknown>>): Promise<'known' | 'unknown' | AccessRefusal>;
}

/** What was in a body. */
export interface Contents extends Uploads {
  body: ReadBody;
  spilled: Readonly<Record<string, UploadedFile>>;
}

export interface ReceivedBody {
  body: Contents['body'];
  /**
   * The uploads, with those long parameters that came another way (in the query string, as a number): these are
   * moved out of `given`.
   */
  uploadsWith(given: Record<string, unknown>): Promise<Uploads>;
  /** Removes the files. */
  discard(): Promise<void>;
}

/** Throws `UploadRefused`, with nothing left on disk. */
export const receiveUpload = async (request: UploadRequest): Promise<ReceivedBody> => {
  const reception = new Reception(request);
  try {
    const { body, ...uploads } = await receive(request, reception);
    return {
      body,
      uploadsWith: (given) => moveOut(request.rules.spills ?? [], given, uploads, reception),
      discard: () => reception.discard(),
    };
  } catch (error) {
    await reception.discard();
    throw isBrokenOff(error) ? new UploadRefused('partial', { cause: error }) : error;
  }
};

const receive = (request: UploadRequest, reception: Reception): Promise<Contents> => {
  const { contentType, rules, limits, contentLength = 0 } = request;
  const multipart = /^multipart\//i.test(contentType);
  const raw = rules.raw?.test(mediaType(contentType)) ?? false;
  const most = limits.maxFileBytes + (raw ? 0 : limits.maxRestBytes);
  if (multipart && contentLength > most) throw new UploadRefused('discarded');
  if (raw && contentLength > most) throw new UploadRefused('tooLarge');
  const source = bounded(request.source, escapedBytes * most);
  if (multipart) return receiveMultipart(source, request, reception);
  return raw ? receiveRaw(source, request, reception) : receiveSplit(source, request, reception);
};

/** Escaped text is so many times longer than what it stands for: `%C3%A9`, `\u00e9`. */
const escapedBytes = 3;

/** What is passed over counts too. */
async function* bounded(source: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > most) throw new UploadRefused('discarded');
    yield chunk;
  }
}

const mediaType = (header: string): string => header.split(';')[0]!.trim().toLowerCase();

const receiveRaw = async (
  source: AsyncIterable<Buffer>,
  { contentType }: UploadRequest,
  reception: Reception,
): Promise<Contents> => {
  const about = { name: '', field: '', contentType: mediaType(contentType) };
  const sink = await reception.begin(about, {});
  for await (const chunk of source) await sink.write(chunk);
  return { body: { kind: 'form', given: {} }, file: await sink.end(), spilled: {} };
};

const moveOut = async (
  names: readonly string[],
  given: Record<string, unknown>,
  uploads: Uploads,
  reception: Reception,
): Promise<Uploads> => {
  const spilled = { ...uploads.spilled };
  for (const name of names) {
    const value = given[name];
    delete given[name];
    if (value === undefined || value === null || value === '') continue;
    const sink = await reception.begin({ name: '', field: name, contentType: '' }, given);
    await sink.write(Buffer.from(typeof value === 'string' ? value : writtenOut(value)));
    spilled[name] = await sink.end();
  }
  return { ...uploads, spilled };
};

/** Throws `UploadRefused` for what nests too deep to be written. */
const writtenOut = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new UploadRefused('unreadable', { cause });
  }
};

/** Of a request, with those that another of the same name took the place of. */
const maxFiles = 100;

const tokenTooLate: AccessRefusal = {
  code: '100',
  text: 'authentication failed: show the token before the file, in the query string or the Authorization header',
  http: 401,
};

/** One request: who is behind it, and what it has written so far. */
export class Reception {
  readonly #request: UploadRequest;
  readonly #files: HeldFiles;
  #caller: 'notAsked' | 'known' | 'unknown' = 'notAsked';
  #borrowed = 0;
  #begun = 0;

  constructor(request: UploadRequest) {
    this.#request = request;
    this.#files = new HeldFiles(request.folder, request.limits.maxFileBytes, (bytes) => this.#spend(bytes));
  }

  /** Begins a file; `given`: the parameters that came before it. Throws `UploadRefused`. */
  async begin(about: FileAbout, given: Readonly<Record<string, unknown>>): Promise<FileSink> {
    await this.#admit(given);
    this.#begun += 1;
    if (this.#begun > maxFiles) throw new UploadRefused('discarded');
    return this.#files.begin(about);
  }

  /** Room in memory for so many bytes more; `given`: the parameters so far. Throws `UploadRefused`. */
  async hold(bytes: number, given: Readonly<Record<string, unknown>>): Promise<void> {
    if (!(await this.#request.sender.hold(bytes, () => given))) throw new UploadRefused('noRoom');
  }

  /** Asked before what was looked over is parsed: a good token must be shown for much of it. Throws `UploadRefused`. */
  async checkMay(scan: BodyScan): Promise<void> {
    if (!scan.isTooMuch) return;
    if (!(await this.#request.sender.recognise(scan.shown))) await this.#mustBeKnown(scan);
    if (scan.hasTooManyNames) throw new UploadRefused('discarded');
  }

  async #mustBeKnown({ shown }: BodyScan): Promise<void> {
    await this.#admit(shown);
    if (this.#caller !== 'known') throw new UploadRefused(accessErrors.malformed);
  }

  async #admit(given: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.#caller === 'known') return;
    const caller = await this.#request.admit(given);
    if (typeof caller !== 'string') throw new UploadRefused(caller);
    this.#caller = caller;
  }

  async discard(): Promise<void> {
    await this.#files.discard();
    this.#request.allowance.giveBack(this.#borrowed);
    this.#borrowed = 0;
  }

  #spend(bytes: number): void {
    if (this.#caller === 'known') return;
    if (!this.#request.allowance.take(bytes)) throw new UploadRefused(tokenTooLate);
    this.#borrowed += bytes;
  }
}

/** What the rest of a body says once its long parameters are out. Throws `UploadRefused`. */
export const readRest = (kind: 'json' | 'form', rest: Buffer, contentType: string): Contents['body'] => {
  if (kind === 'json') {
    const given = readJson(guessBytes(rest));
    if (given) return { kind, given };
  }
  const text = rest.toString('latin1');
  if (text.trim() === '') return { kind: 'form', given: {} };
  if (kind === 'json' || /[/+]json\b/i.test(contentType) || !text.includes('='))
    throw new UploadRefused('unreadable');
  return { kind: 'form', given: readForm(text) };
};
