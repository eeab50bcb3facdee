/**
 * Request bodies as clients of twenty years send them: JSON, form, multipart, and any of these under a wrong name.
 * Forms come out as byte strings (one character a byte), because only a parameter inside tells their encoding.
 */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { decodeUtf8OrLatin1 } from '../lib/clientTextEncoding.ts';
import { type BodyTokenScan, LazyBodyScan } from './scanBodyTokenAndComplexity.ts';
import { readParts } from './multipart.ts';
import type { RequestSenderRecognizer } from './identifySenderMidBody.ts';
import { UploadRefused } from './upload/refused.ts';
import { unescapeForm } from './upload/spillUrlencodedLongValues.ts';

export type Body =
  | { kind: 'json'; provided: Record<string, unknown> }
  | { kind: 'form'; provided: Record<string, string> }
  | { kind: 'refused'; why: 'tooLarge' | 'unreadable' | 'manyNames' | 'encoded' | 'noRoom' }
  /** More than is parsed before a good token is shown; `shown`: what it shows. */
  | { kind: 'strange'; shown: Readonly<Record<string, unknown>> };

export type ParsedRequestBody = Exclude<Body, { kind: 'refused' | 'strange' }>;

type Refused = Extract<Body, { kind: 'refused' }>;

const multipart = /^multipart\//i;

const refused = (why: Refused['why']): Refused => ({ kind: 'refused', why });

/** Reads a request's body, whatever it is, for its `sender`. Never throws for what a client sent. */
export const readAndParseBody = async (
  ctx: Context,
  maxBytes: number,
  sender: RequestSenderRecognizer,
): Promise<Body> => {
  if (isRequestBodyCompressed(ctx)) return refused('encoded');
  try {
    return multipart.test(ctx.get('content-type'))
      ? await readMultipart(ctx, maxBytes, sender)
      : await readPlain(ctx, maxBytes, sender);
  } catch (error) {
    if (error instanceof TooMuch) return refused(error.why);
    if (error instanceof UploadRefused) return refused(error.why === 'discarded' ? 'tooLarge' : 'unreadable');
    if (isBrokenOff(error)) return refused('unreadable');
    throw error;
  }
};

/** The client went away, or its connection did. */
export const isBrokenOff = (error: unknown): boolean =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE'].includes((error as { code?: string }).code ?? '');

/** Whether a body is compressed. */
export const isRequestBodyCompressed = (ctx: Context): boolean =>
  !/^(|identity)$/i.test(ctx.get('content-encoding'));

/** A form or a query string as byte strings. Of a repeated name the last counts. */
export const parseUrlEncodedForm = (text: string): Record<string, string> => {
  const provided = emptyFormBody();
  if (text === '') return provided;
  for (const pair of text.split('&', 1000)) {
    const equals = pair.indexOf('=');
    if (equals > 0) provided[unescapeBytes(pair.slice(0, equals))] = unescapeBytes(pair.slice(equals + 1));
  }
  return provided;
};

/** Names are the client's: `__proto__` is one like any other. */
export const emptyFormBody = (): Record<string, string> => Object.create(null) as Record<string, string>;

const unescapeBytes = (text: string): string =>
  /[+%]/.test(text) ? unescapeForm(Buffer.from(text, 'latin1')).toString('latin1') : text;

/** A JSON object; anything else is none. How deep it may nest is for the operation to say. */
export const parseJsonObjectText = (text: string): Record<string, unknown> | undefined => {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
};

/** JSON or a form. */
const readPlain = async (ctx: Context, maxBytes: number, sender: RequestSenderRecognizer): Promise<Body> => {
  const scan = new LazyBodyScan();
  await begun(ctx.req);
  const raw = isWhole(ctx.req)
    ? await readReady(ctx, maxBytes, sender, scan)
    : await readComing(ctx, maxBytes, sender, scan);
  if (scan.isTooMuch && !(await sender.recognise(scan.shown))) return { kind: 'strange', shown: scan.shown };
  if (scan.hasTooManyNames) return refused('manyNames');
  const json = parseJsonObjectText(decodeUtf8OrLatin1(raw));
  if (json) return { kind: 'json', provided: json };
  const text = raw.toString('latin1');
  if (text.trim() === '') return { kind: 'form', provided: {} };
  return ctx.is('json', '+json') || !text.includes('=')
    ? refused('unreadable')
    : { kind: 'form', provided: parseUrlEncodedForm(text) };
};

/** Settles when the first bytes of a body have come, or its end, or the end of its connection. */
const begun = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    if (request.complete || request.destroyed || request.readableLength > 0) {
      resolve();
      return;
    }
    const settle = (): void => {
      request.off('readable', settle).off('close', settle);
      resolve();
    };
    request.on('readable', settle).on('close', settle);
  });

const isWhole = ({ complete, readableLength, headers }: IncomingMessage): boolean =>
  complete || readableLength === Number(headers['content-length']);

/** A body that came in one piece, as most do that fit a packet: it costs none of a stream's promises. */
const readReady = async (
  ctx: Context,
  maxBytes: number,
  sender: RequestSenderRecognizer,
  scan: LazyBodyScan,
): Promise<Buffer> => {
  const raw = (ctx.req.read() as Buffer | null) ?? noBytes;
  // What is left is the stream's end.
  ctx.req.resume();
  const fits = mayCome(raw, raw.length, maxBytes, sender, scan);
  if (fits !== true) await fits;
  return raw;
};

const noBytes = Buffer.alloc(0);

const readComing = async (
  ctx: Context,
  maxBytes: number,
  sender: RequestSenderRecognizer,
  scan: LazyBodyScan,
): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(ctx)) {
    size += chunk.length;
    const fits = mayCome(chunk, size, maxBytes, sender, scan);
    if (fits !== true) await fits;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

class TooMuch extends Error {
  readonly why: 'tooLarge' | 'noRoom';
  constructor(why: TooMuch['why']) {
    super(why);
    this.why = why;
  }
}

/** A request that is refused in the middle keeps its connection until it has been answered (`drainRefusedRequestBody.ts`). */
const chunksOf = (ctx: Context): AsyncIterable<Buffer> =>
  ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;

type Looking = Pick<BodyTokenScan, 'push' | 'shown'>;

/** Looks over a chunk and takes room for it. Throws, or rejects with, `TooMuch`. Most chunks need no promise. */
const mayCome = (
  chunk: Buffer,
  size: number,
  maxBytes: number,
  sender: RequestSenderRecognizer,
  scan: Looking,
): true | Promise<void> => {
  if (size > maxBytes) throw new TooMuch('tooLarge');
  scan.push(chunk);
  const held = sender.hold(chunk.length, () => scan.shown);
  return held === true ? true : orNoRoom(held);
};

const orNoRoom = async (held: boolean | Promise<boolean>): Promise<void> => {
  if (!(await held)) throw new TooMuch('noRoom');
};

/** The same as a stream. */
async function* boundedBody(
  ctx: Context,
  maxBytes: number,
  sender: RequestSenderRecognizer,
  scan: Looking,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunksOf(ctx)) {
    size += chunk.length;
    const fits = mayCome(chunk, size, maxBytes, sender, scan);
    if (fits !== true) await fits;
    yield chunk;
  }
}

/** Its fields. Files are passed over: no operation behind this reader takes any. Of a repeated name the last counts. */
const readMultipart = async (
  ctx: Context,
  maxBytes: number,
  sender: RequestSenderRecognizer,
): Promise<Body> => {
  if (Number(ctx.get('content-length')) > maxBytes) return refused('tooLarge');
  const provided = emptyFormBody();
  const bytes = boundedBody(ctx, maxBytes, sender, { push: () => {}, shown: provided });
  for await (const part of readParts(bytes, ctx.get('content-type')))
    if (part.fileName === undefined) provided[part.name] = await fieldOf(part.content);
  return { kind: 'form', provided };
};

const fieldOf = async (content: AsyncIterable<Buffer>): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString('latin1');
};
