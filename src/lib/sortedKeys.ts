/** JSON in one order of its keys, so that what means the same is the same text. */
import { isDeeperThan } from './depth.ts';

/** A plain value whose objects, nested ones too, have their keys in order; lists keep theirs. Deep ones throw `RangeError`. */
export const withSortedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, part]) => [key, withSortedKeys(part)]));
};

/** What is nested deeper is left as it is. */
const DEEPEST = 64;

/** The text of a JSON object with its keys in order; any other text as it is. */
export const sortedJson = (text: string): string => {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || isDeeperThan(value, DEEPEST)) return text;
  return JSON.stringify(withSortedKeys(value));
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
