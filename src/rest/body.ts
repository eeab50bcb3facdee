/**
 * Request bodies as clients of twenty years send them: JSON, form, multipart, and any of these under a wrong name.
 * Forms come out as byte strings (one character a byte), because only a parameter inside tells their encoding.
 */
import type { Context } from 'koa';
import type { BodyPlace } from '../access/bodyRoom.ts';
import { guessBytes } from '../rules/encoding.ts';
import { readParts } from './multipart.ts';
import { UploadRefused } from './upload/refused.ts';

export type Body =
  | { kind: 'json'; given: Record<string, unknown> }
  | { kind: 'form'; given: Record<string, string> }
  | { kind: 'refused'; why: 'tooLarge' | 'unreadable' | 'encoded' | 'noRoom' };

const refused = (why: Extract<Body, { kind: 'refused' }>['why']): Body => ({ kind: 'refused', why });

/** Reads a request's body, whatever it is, in its `place`. Never throws for what a client sent. */
export const readBody = async (ctx: Context, maxBytes: number, place: BodyPlace): Promise<Body> => {
  if (isEncoded(ctx)) return refused('encoded');
  if (ctx.is('multipart/*')) return readMultipart(ctx, maxBytes, place);
  const raw = await readBytes(ctx, maxBytes, place);
  if (typeof raw === 'string') return refused(raw);
  const json = readJson(guessBytes(raw));
  if (json) return { kind: 'json', given: json };
  const text = raw.toString('latin1');
  if (text.trim() === '') return { kind: 'form', given: {} };
  return ctx.is('json', '+json') || !text.includes('=')
    ? refused('unreadable')
    : { kind: 'form', given: readForm(text) };
};

/** Whether a body is compressed. */
export const isEncoded = (ctx: Context): boolean => !/^(|identity)$/i.test(ctx.get('content-encoding'));

/** A form or a query string as byte strings. Of a repeated name the last counts. */
export const readForm = (text: string): Record<string, string> => {
  const given = emptyForm();
  for (const pair of text.split('&', 1000)) {
    const equals = pair.indexOf('=');
    if (equals > 0) given[unescapeBytes(pair.slice(0, equals))] = unescapeBytes(pair.slice(equals + 1));
  }
  return given;
};

/** Names are the client's: `__proto__` is one like any other. */
export const emptyForm = (): Record<string, string> => Object.create(null) as Record<string, string>;

const unescapeBytes = (text: string): string =>
  text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** A JSON object; anything else is none. */
export const readJson = (text: string): Record<string, unknown> | undefined => {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
};

const readBytes = async (
  ctx: Context,
  maxBytes: number,
  place: BodyPlace,
): Promise<Buffer | 'tooLarge' | 'noRoom'> => {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of boundedBody(ctx, maxBytes, place)) chunks.push(chunk);
  } catch (error) {
    if (error instanceof TooMuch) return error.why;
    throw error;
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

/** The bytes of a body. Throws `TooMuch` where it is too large, or there is no room for it. */
async function* boundedBody(ctx: Context, maxBytes: number, place: BodyPlace): AsyncGenerator<Buffer> {
  let size = 0;
  // A request that is refused in the middle keeps its connection until it has been answered (`linger.ts`).
  for await (const chunk of ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new TooMuch('tooLarge');
    if (!place.take(chunk.length)) throw new TooMuch('noRoom');
    yield chunk;
  }
}

/** Its fields. Files are passed over: no operation behind this reader takes any. Of a repeated name the last counts. */
const readMultipart = async (ctx: Context, maxBytes: number, place: BodyPlace): Promise<Body> => {
  if (Number(ctx.get('content-length')) > maxBytes) return refused('tooLarge');
  const given = emptyForm();
  try {
    for await (const part of readParts(boundedBody(ctx, maxBytes, place), ctx.get('content-type')))
      if (part.fileName === undefined) given[part.name] = await fieldOf(part.content);
  } catch (error) {
    if (error instanceof TooMuch) return refused(error.why);
    if (error instanceof UploadRefused) return refused(error.why === 'discarded' ? 'tooLarge' : 'unreadable');
    throw error;
  }
  return { kind: 'form', given };
};

const fieldOf = async (content: AsyncIterable<Buffer>): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString('latin1');
};
