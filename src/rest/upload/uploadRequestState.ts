/** One request with a body that goes to disk: who is behind it, and what it has written so far. */
import type { RequestUploads, UploadedFile, UploadRules } from '../../operations/operationUploadTypes.ts';
import { accessErrors, type AccessRefusal } from '../../access/authenticate.ts';
import type { ParsedRequestBody } from '../body.ts';
import type { BodyTokenScan } from '../scanBodyTokenAndComplexity.ts';
import type { RequestSenderRecognizer } from '../identifySenderMidBody.ts';
import type { AnonymousUploadAllowance } from './allowance.ts';
import { UploadRefused } from './refused.ts';
import { type UploadFileInfo, type UploadFileWriter, TemporaryFiles } from './temporary.ts';

/** Most bytes of one request. */
export interface UploadLimits {
  /** Of all files and long parameters of a request together. */
  maxFileBytes: number;
  /** Of everything else in it. */
  maxRestBytes: number;
}

/** A request whose body is to be received, and who may send it. */
export interface UnreceivedUploadRequest {
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
  allowance: AnonymousUploadAllowance;
  /** Has the room in memory. */
  sender: RequestSenderRecognizer;
  /**
   * Asked once, before anything is written, with the parameters known by then: `known` may write, `unknown` has shown
   * no token yet, and a refusal ends it.
   */
  admit(provided: Readonly<Record<string, unknown>>): Promise<'known' | 'unknown' | AccessRefusal>;
}

/** What was in a body. */
export interface UploadedContents extends RequestUploads {
  body: ParsedRequestBody;
  spilled: Readonly<Record<string, UploadedFile>>;
}

/** Of a request, with those that another of the same name took the place of. */
const maxFiles = 100;

const tokenTooLate: AccessRefusal = {
  code: '100',
  text: 'authentication failed: show the token before the file, in the query string or the Authorization header',
  http: 401,
};

/** One request: who is behind it, and what it has written so far. */
export class IncomingUploadSession {
  readonly #request: UnreceivedUploadRequest;
  readonly #files: TemporaryFiles;
  #caller: 'notAsked' | 'known' | 'unknown' = 'notAsked';
  #borrowed = 0;
  #begun = 0;

  constructor(request: UnreceivedUploadRequest) {
    this.#request = request;
    this.#files = new TemporaryFiles(request.folder, request.limits.maxFileBytes, (bytes) =>
      this.#spend(bytes),
    );
  }

  /** Begins a file; `given`: the parameters that came before it. Throws `UploadRefused`. */
  async begin(about: UploadFileInfo, provided: Readonly<Record<string, unknown>>): Promise<UploadFileWriter> {
    await this.#admit(provided);
    this.#begun += 1;
    if (this.#begun > maxFiles) throw new UploadRefused('discarded');
    return this.#files.begin(about);
  }

  /** Room in memory for so many bytes more; `given`: the parameters so far. Throws `UploadRefused`. */
  async hold(bytes: number, provided: Readonly<Record<string, unknown>>): Promise<void> {
    if (!(await this.#request.sender.hold(bytes, () => provided))) throw new UploadRefused('noRoom');
  }

  /** Asked before what was looked over is parsed: a good token must be shown for much of it. Throws `UploadRefused`. */
  async checkMay(scan: BodyTokenScan): Promise<void> {
    if (!scan.isTooMuch) return;
    if (!(await this.#request.sender.recognise(scan.shown))) await this.#mustBeKnown(scan);
    if (scan.hasTooManyNames) throw new UploadRefused('discarded');
  }

  async #mustBeKnown({ shown }: BodyTokenScan): Promise<void> {
    await this.#admit(shown);
    if (this.#caller !== 'known') throw new UploadRefused(accessErrors.malformed);
  }

  async #admit(provided: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.#caller === 'known') return;
    const caller = await this.#request.admit(provided);
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
