/** One set of parameters out of a request: decoded, and the query string over the body. */
import type { AnyOperation } from '../operations/declare.ts';
import {
  charsetOf,
  decodeBytes,
  type ClientTextEncoding,
  parseEncodingName,
  decodeUtf8OrLatin1,
  repairTextEncoding,
} from '../lib/clientTextEncoding.ts';
import { type ParsedRequestBody, parseUrlEncodedForm } from './body.ts';
import { mergeQueryOverBody } from './mergeQueryOverBody.ts';

type Provided = Record<string, unknown>;

/**
 * `op`: where it has a parameter `encoding`, that names the encoding. Without it a form is what the charset of its
 * `contentType` says, and ISO-8859-1 where that says nothing, too; elsewhere valid UTF-8 is UTF-8. A query string is read like the form it comes with; alone, as with a raw body, it is none.
 */
export const readRequestParams = (
  op: AnyOperation,
  body: ParsedRequestBody,
  { querystring: query, contentType }: { querystring: string; contentType: string },
): Provided => {
  const fromQuery = parseUrlEncodedForm(query);
  const word = fromQuery['encoding'] || body.provided['encoding'];
  const named = 'encoding' in op.params && typeof word === 'string' ? parseEncodingName(word) : undefined;
  const isForm = body.kind === 'form' && Object.keys(body.provided).length > 0;
  const usual = 'encoding' in op.params && isForm ? (charsetOf(contentType) ?? 'ISO-8859-1') : undefined;
  const decode = (bytes: string) => decodeGiven(bytes, named ?? usual);
  const fromBody = body.kind === 'json' ? repairAll(body.provided, named) : mapText(body.provided, decode);
  return mergeQueryOverBody(op, fromBody, mapText(fromQuery, decode));
};

const decodeGiven = (bytes: string, encoding: ClientTextEncoding | undefined): string =>
  encoding ? decodeBytes(bytes, encoding) : decodeUtf8OrLatin1(Buffer.from(bytes, 'latin1'));

const repairAll = (provided: Provided, encoding: ClientTextEncoding | undefined): Provided =>
  encoding ? mapText(provided, (text) => repairTextEncoding(text, encoding)) : provided;

const mapText = (provided: Provided, change: (text: string) => string): Provided =>
  Object.fromEntries(
    Object.entries(provided).map(([name, value]) => [
      name,
      typeof value === 'string' ? change(value) : value,
    ]),
  );
