/**
 * How much of an answer its reader may have. All answers of the admin API and all frames of its streams pass here, so
 * that no handler needs to think of it.
 */
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { MaskedNumberReferences } from '../access/admin/maskedNumberReferences.ts';
import { withMaskedNumbers } from '../lib/maskPhonesInJson.ts';
import { maskPhones } from '../lib/maskPhoneNumbers.ts';
import { withoutSecrets } from '../lib/redactSecretFields.ts';
import { findRequestAdministrator } from './admitAndAuditAdministrator.ts';
import { toJsonWithBigintsAsNumbers } from './adminErrorsAndRequestParsing.ts';

/** `whole`: role admin; `noSecrets`: role operator, and strangers; `masked`: operators who see numbers masked, too. */
export type ReaderVisibility = 'whole' | 'noSecrets' | 'masked';

/** Of the one who sends a request. */
export const readerVisibility = (ctx: Pick<Context, 'state'>): ReaderVisibility => {
  const who = findRequestAdministrator(ctx);
  if (who?.masksNumbers) return 'masked';
  return who?.role === 'admin' ? 'whole' : 'noSecrets';
};

interface NumberDeps {
  numberReferences: MaskedNumberReferences;
}

/** An answer as its reader may have it. */
export const redactForReader = (
  { numberReferences }: NumberDeps,
  sight: ReaderVisibility,
  body: unknown,
): unknown => {
  if (sight === 'whole') return body;
  const plain = withoutSecrets(JSON.parse(toJsonWithBigintsAsNumbers(body)));
  return sight === 'masked' ? withMaskedNumbers(plain, numberReferences.write) : plain;
};

/** A file of text as its reader may have it. */
export const maskFileForReader = (sight: ReaderVisibility, file: Readable): Readable =>
  sight === 'masked' ? Readable.from(maskedLines(file), { objectMode: false }) : file;

/** Line by line, so that no number is cut in two. */
async function* maskedLines(file: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of file) {
    rest += typeof part === 'string' ? part : decoder.decode(part as Uint8Array, { stream: true });
    const end = rest.lastIndexOf('\n') + 1;
    if (end > 0) yield maskPhones(rest.slice(0, end));
    rest = rest.slice(end);
  }
  if (rest !== '') yield maskPhones(rest);
}

/** References that a masked reader hands back stand for numbers again, before the request is read. */
export const resolveMaskedNumbers = ({ numberReferences }: NumberDeps, ctx: Context): void => {
  if (readerVisibility(ctx) !== 'masked' || !/~|%7e/i.test(ctx.url)) return;
  // Some clients escape what needs no escaping.
  const path = ctx.path.replaceAll(/%7e/gi, '~');
  ctx.path = numberReferences.resolve(path, encodeURIComponent);
  const query = Object.entries(ctx.query).map(([name, value]) => [
    name,
    resolved(numberReferences, name, value),
  ]);
  ctx.query = Object.fromEntries(query) as typeof ctx.query;
};

/** In `topics` a number is written as in an address. */
const resolved = (references: MaskedNumberReferences, name: string, value: string | string[] | undefined) =>
  typeof value === 'string'
    ? references.resolve(value, name === 'topics' ? encodeURIComponent : undefined)
    : value;
