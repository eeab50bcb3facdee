/** What values a schema admits, in words for a table. */
import type { Json } from '../../../src/operations/jsonSchema.ts';
import { code } from './table.ts';

export const valueOf = (schema: Json): string => {
  const { anyOf: ways, enum: words, const: only, type, pattern } = schema;
  if (Array.isArray(ways)) return (ways as Json[]).map(valueOf).join(' or ');
  if (only !== undefined) return wordOf(only as string | number);
  if (Array.isArray(words)) return (words as (string | number)[]).map(wordOf).join(', ');
  if (type === 'integer' || type === 'number') return rangeOf(schema);
  if (type === 'array') return 'list';
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'null') return '`null`';
  if (type !== 'string') return 'JSON';
  return typeof pattern === 'string' ? code(pattern) : lengthOf(schema);
};

/** The empty word stands between quotes. */
const wordOf = (word: string | number): string => code(word === '' ? "''" : String(word));

const rangeOf = ({ type, minimum, maximum }: Json): string => {
  if (minimum === undefined || Number(minimum) <= -Number.MAX_SAFE_INTEGER) return String(type);
  return maximum === undefined || Number(maximum) >= Number.MAX_SAFE_INTEGER
    ? `${Number(minimum)} or more`
    : `${Number(minimum)} to ${Number(maximum)}`;
};

const lengthOf = ({ maxLength }: Json): string =>
  maxLength === undefined ? 'text' : `text, ${Number(maxLength)} at most`;
