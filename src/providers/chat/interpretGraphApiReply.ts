/** What a reply of the graph API means: an answer, a refusal with its reason, or an outcome that is unknown. Pure. */
import * as z from 'zod';
import { parseJsonKeepingLargeIds } from '../../lib/jsonIds.ts';
import { retryAfterMs } from '../../lib/retryAfter.ts';
import type { GraphApiAnswer } from '../contracts/chat.ts';

/** A reply as it came over the wire. */
export interface GraphApiHttpReply {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

/** Every field may be missing; who answers is not always the upstream itself. */
const envelope = z.looseObject({
  error: z.looseObject({
    code: z.int().optional().catch(undefined),
    error_subcode: z.int().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
    error_user_msg: z.string().optional().catch(undefined),
    error_data: z
      .looseObject({ details: z.string().optional().catch(undefined) })
      .optional()
      .catch(undefined),
    is_transient: z.boolean().optional().catch(undefined),
  }),
});
type Envelope = z.output<typeof envelope>['error'];

/** What is kept of an answer, characters. */
const RAW_LENGTH = 4_000;
const SENTENCE_LENGTH = 500;
/** Shorter ones would blot out half of what was said, and open nothing. */
const SHORTEST_TOKEN = 8;
/** An upstream that asks for more patience is not believed, milliseconds. */
const LONGEST_WAIT_MS = 3_600_000;

/** Codes by which the upstream says "too much at once": what was sent was not taken. */
const throttles: ReadonlySet<number> = new Set([4, 17, 613, 80_007, 130_429, 131_056]);

/** Whether it refused only because of the rate, and surely took nothing. */
export const isGraphApiThrottled = (answer: { http: number; code?: number }): boolean =>
  answer.http === 429 || (answer.code !== undefined && throttles.has(answer.code));

/** `token` is taken out of everything, should the upstream repeat it. */
export const readGraphApiReply = (
  { status, headers, text }: GraphApiHttpReply,
  token: string,
): GraphApiAnswer => {
  const said = redacted(storable(text), token);
  const raw = storable(said.slice(0, RAW_LENGTH));
  const json = parsed(said);
  // Most answers are none: looking for their fields would cost more than the rest of this.
  const error = json?.['error'] === undefined ? undefined : envelope.safeParse(json).data?.error;
  if (error || status < 200 || status > 299) return refusal(status, error, { raw, headers });
  if (json) return { outcome: 'ok', http: status, json, raw };
  return { outcome: 'unknown', text: `the upstream answered HTTP ${status} with something that is no JSON` };
};

const refusal = (
  http: number,
  error: Envelope | undefined,
  { raw, headers }: { raw: string; headers: GraphApiHttpReply['headers'] },
): GraphApiAnswer => {
  const { code, error_subcode: subcode } = error ?? {};
  const known = { http, ...(code !== undefined && { code }), ...(subcode !== undefined && { subcode }) };
  const asked = retryAfterMs(headers['retry-after'], Date.now());
  return {
    outcome: 'refused',
    ...known,
    text: sentenceOf(error) ?? `the upstream answered HTTP ${http}`,
    raw,
    transient: error?.is_transient === true || isGraphApiThrottled(known),
    ...(asked !== undefined && { afterMs: Math.min(asked, LONGEST_WAIT_MS) }),
  };
};

const sentenceOf = (error: Envelope | undefined): string | undefined =>
  [error?.error_user_msg, error?.error_data?.details, error?.message]
    .find((sentence) => sentence !== undefined && sentence.trim() !== '')
    ?.slice(0, SENTENCE_LENGTH)
    .toWellFormed();

/** As it stands, and as it stands in an address or in JSON. */
const redacted = (text: string, token: string): string =>
  token.length < SHORTEST_TOKEN
    ? text
    : [token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1)].reduce(
        (rest, form) => rest.replaceAll(form, '…'),
        text,
      );

/** No database takes NUL, or half a character, as text. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\uFFFD');

/** An object; anything else is no answer of the graph API. */
const parsed = (text: string): Record<string, unknown> | undefined => {
  try {
    const value = parseJsonKeepingLargeIds(text, (_key, item) =>
      typeof item === 'string' ? storable(item) : item,
    );
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
};
