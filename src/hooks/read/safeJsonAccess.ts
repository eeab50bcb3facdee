/** Looks into JSON that may be anything. Nothing here throws: what is not there is empty. */
import { isProviderId } from '../../rules/sms/providerId.ts';

export type Json = Readonly<Record<string, unknown>>;

export const jsonObjectOrEmpty = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

export const asJsonObjects = (value: unknown): Json[] =>
  Array.isArray(value)
    ? value.filter((one) => Object.keys(jsonObjectOrEmpty(one)).length > 0).map(jsonObjectOrEmpty)
    : [];

/** A text or a number as text. */
export const text = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
};

/** An id; empty for what can be none. */
export const id = (value: unknown): string => {
  const found = text(value);
  return isProviderId(found) ? found : '';
};

/** A sentence, cut short: it stands in a history. Half a character cannot be stored. */
export const truncateSentence = (value: unknown): string =>
  text(value).slice(0, LONGEST_SENTENCE).toWellFormed();

/** A word of the upstream's own, cut short: it is kept as it came. */
export const word = (value: unknown): string => text(value).slice(0, LONGEST_WORD).toWellFormed();

/** What comes first that is not empty. */
export const firstNonEmptyText = (...values: readonly unknown[]): string =>
  values.map(text).find(Boolean) ?? '';

/** A moment, in seconds or milliseconds as `unit` says: epoch milliseconds; 0 for what is none. */
export const toEpochMilliseconds = (value: unknown, unit: 'seconds' | 'milliseconds'): number => {
  const written = text(value);
  if (!/^\d{1,15}$/.test(written)) return 0;
  return Number(written) * (unit === 'seconds' ? 1_000 : 1);
};

const LONGEST_SENTENCE = 500;
const LONGEST_WORD = 50;
