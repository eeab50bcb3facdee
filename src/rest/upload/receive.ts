/**
 * The body of an operation that takes files: streamed to disk, whatever its form is; parameters come out of it as from
 * any other body. The sender must be known before much of it is kept.
 */
import type { RequestUploads } from '../../operations/operationUploadTypes.ts';
import { isBrokenOff } from '../body.ts';
import { receiveMultipart } from './receiveMultipart.ts';
import { receiveJsonOrForm } from './receiveBodySpillingLongParams.ts';
import { UploadRefused } from './refused.ts';
import {
  type UnreceivedUploadRequest,
  type UploadedContents,
  IncomingUploadSession,
} from './uploadRequestState.ts';

export interface ReceivedBodyWithUploads {
  body: UploadedContents['body'];
  /**
   * The uploads, with those long parameters that came another way (in the query string, as a number): these are
   * moved out of `given`.
   */
  uploadsWith(provided: Record<string, unknown>): Promise<RequestUploads>;
  /** Removes the files. */
  discard(): Promise<void>;
}

/** Throws `UploadRefused`, with nothing left on disk. */
export const receiveUpload = async (request: UnreceivedUploadRequest): Promise<ReceivedBodyWithUploads> => {
  const session = new IncomingUploadSession(request);
  try {
    const { body, ...uploads } = await receive(request, session);
    return {
      body,
      uploadsWith: (provided) => moveOut(request.rules.spills ?? [], provided, uploads, session),
      discard: () => session.discard(),
    };
  } catch (error) {
    await session.discard();
    throw isBrokenOff(error) ? new UploadRefused('partial', { cause: error }) : error;
  }
};

const receive = (
  request: UnreceivedUploadRequest,
  session: IncomingUploadSession,
): Promise<UploadedContents> => {
  const { contentType, rules, limits, contentLength = 0 } = request;
  const multipart = /^multipart\//i.test(contentType);
  const raw = rules.raw?.test(mediaType(contentType)) ?? false;
  const most = limits.maxFileBytes + (raw ? 0 : limits.maxRestBytes);
  if (multipart && contentLength > most) throw new UploadRefused('discarded');
  if (raw && contentLength > most) throw new UploadRefused('tooLarge');
  const source = bounded(request.source, escapedBytes * most);
  if (multipart) return receiveMultipart(source, request, session);
  return raw ? receiveRaw(source, request, session) : receiveJsonOrForm(source, request, session);
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
  { contentType }: UnreceivedUploadRequest,
  session: IncomingUploadSession,
): Promise<UploadedContents> => {
  const about = { name: '', field: '', contentType: mediaType(contentType) };
  const sink = await session.begin(about, {});
  for await (const chunk of source) await sink.write(chunk);
  return { body: { kind: 'form', provided: {} }, file: await sink.end(), spilled: {} };
};

const moveOut = async (
  names: readonly string[],
  provided: Record<string, unknown>,
  uploads: RequestUploads,
  session: IncomingUploadSession,
): Promise<RequestUploads> => {
  const spilled = { ...uploads.spilled };
  for (const name of names) {
    const value = provided[name];
    delete provided[name];
    if (value === undefined || value === null || value === '') continue;
    const sink = await session.begin({ name: '', field: name, contentType: '' }, provided);
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
