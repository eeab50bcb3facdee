/**
 * Request bodies as clients of twenty years send them: JSON, form, multipart, and any of these under a wrong name.
 * Forms come out as byte strings (one character a byte), because only a parameter inside tells their encoding.
 */
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import type { BodyPlace } from '../access/bodyRoom.ts';
import { guessBytes } from '../rules/encoding.ts';

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
  const given: Record<string, string> = {};
  for (const pair of text.split('&', 1000)) {
    const equals = pair.indexOf('=');
    if (equals > 0) given[unescapeBytes(pair.slice(0, equals))] = unescapeBytes(pair.slice(equals + 1));
  }
  return given;
};

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
  let size = 0;
  // A request that is refused in the middle keeps its connection until it has been answered (`linger.ts`).
  for await (const chunk of ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return 'tooLarge';
    if (!place.take(chunk.length)) return 'noRoom';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Files are passed over: no operation behind this reader takes any. */
const multipartOf = (maxBytes: number) =>
  koaBody({
    json: false,
    urlencoded: false,
    text: false,
    multipart: true,
    patchNode: false,
    formidable: {
      // 'binary' is formidable's name for one character a byte.
      encoding: 'binary',
      maxFields: 1000,
      maxFieldsSize: maxBytes,
      filter: () => false,
    },
  });

/** Its bytes are not counted one by one: the whole of it is reserved. */
const readMultipart = async (ctx: Context, maxBytes: number, place: BodyPlace): Promise<Body> => {
  const announced = Number(ctx.get('content-length')) || maxBytes;
  if (announced > maxBytes) return refused('tooLarge');
  if (!place.take(announced)) return refused('noRoom');
  try {
    await multipartOf(maxBytes)(ctx, () => Promise.resolve());
  } catch (error) {
    return refused((error as { httpCode?: number }).httpCode === 413 ? 'tooLarge' : 'unreadable');
  }
  return { kind: 'form', given: lastOfEach((ctx.request as { body?: Record<string, unknown> }).body ?? {}) };
};

const lastOfEach = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      String(Array.isArray(value) ? value.at(-1) : value),
    ]),
  );
