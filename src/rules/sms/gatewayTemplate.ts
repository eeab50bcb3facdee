/** Requests to an SMS gateway as an operator writes them: texts with placeholders, and where an answer says what. */
import { compileOperatorRegex } from './safeOperatorRegex.ts';
import { parseJsonKeepingLargeIds } from '../../lib/jsonIds.ts';

/** What may stand between braces: `{to}`, `{secret.api_key}`. */
const placeholder = /\{(to|from|text|id|secret\.[a-z][a-z0-9_]*)\}/g;

/** How a value is written where it stands. */
export type PlaceholderEscape = (value: string) => string;

export const placeholderValueEscapers = {
  /** Within quotes. */
  json: (value) => JSON.stringify(value).slice(1, -1),
  form: encodeURIComponent,
  url: encodeURIComponent,
  text: (value) => value,
} as const satisfies Record<string, PlaceholderEscape>;

/** A value by its name; undefined: there is none such. */
export type PlaceholderLookup = (name: string) => string | undefined;

/** Throws `RangeError` for a value that there is none of. */
export const fill = (template: string, values: PlaceholderLookup, escape: PlaceholderEscape): string =>
  template.replace(placeholder, (_, name: string) => {
    const value = values(name);
    if (value === undefined) throw new RangeError(`there is no ${name}`);
    return escape(value);
  });

export const findGatewayPlaceholders = (template: string): string[] =>
  [...template.matchAll(placeholder)].map(([, name = '']) => name);

/** A word between braces that looks like a placeholder and is none; undefined: there is none. */
export const findUnknownGatewayPlaceholder = (template: string): string | undefined =>
  /\{[A-Za-z][\w.]*\}/.exec(template.replace(placeholder, ''))?.[0];

/** Where something stands in an answer: at a path of its JSON, or anywhere in it; `matches` cuts it out. */
export interface GatewayAnswerField {
  /** Keys and places, by dots: `data.0.id`. */
  path?: string | undefined;
  /** A regular expression (`safeOperatorRegex.ts`); what its first group holds, or all of it. */
  matches?: string | undefined;
}

/** What an answer says there; undefined: nothing. */
export const readGatewayAnswerField = (
  answer: string,
  { path, matches }: GatewayAnswerField,
): string | undefined => {
  const value = path === undefined ? answer : scalar(at(parsed(answer), path.split('.')));
  if (value === undefined || matches === undefined) return value;
  const expression = compileOperatorRegex(matches);
  return typeof expression === 'string' ? undefined : expression(value);
};

const parsed = (text: string): unknown => {
  try {
    return parseJsonKeepingLargeIds(text);
  } catch {
    return undefined;
  }
};

const at = (value: unknown, [key, ...rest]: readonly string[]): unknown => {
  if (key === undefined) return value;
  const holds = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return holds ? at((value as Record<string, unknown>)[key], rest) : undefined;
};

const scalar = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
