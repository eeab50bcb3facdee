/** What chat messages of all channels consist of, and what is wrong with them. */
import { findUnstorableCharacter } from '../../lib/clientTextEncoding.ts';
import { parseUrl } from '../../lib/parseUrl.ts';

/** A message ready to be sent, or a sentence that names the parameter that is wrong. */
export type BuiltChatMessage =
  | {
      /** The upstream's own message, recipient and all. */
      body: Record<string, unknown>;
      /** What stands for it in the log. */
      shown: string;
    }
  | { wrong: string };

/** Longest JSON that is passed on, characters. */
export const maxChatJsonCharacters = 40_000;

/** Whether it is an address that an upstream can fetch a file from. */
export const isWebAddress = (text: string): boolean =>
  parseUrl(text) !== undefined && /^https?:\/\/[^\s/]/i.test(text) && !/\s/.test(text);

/** An object, or the text of one; undefined for anything else, and for what no database takes. */
export const parseChatJsonParameter = (given: unknown): Record<string, unknown> | undefined => {
  const value = typeof given === 'string' ? parsed(given) : given;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return isClean(value, 0) && JSON.stringify(value).length <= maxChatJsonCharacters
    ? (value as Record<string, unknown>)
    : undefined;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** No upstream's message is nested so deeply. */
const deepest = 30;

/** Whether no text in it, keys included, is one that cannot be kept. */
const isClean = (value: unknown, depth: number): boolean => {
  if (typeof value === 'string') return findUnstorableCharacter(value) === undefined;
  if (typeof value !== 'object' || value === null) return true;
  if (depth > deepest) return false;
  return Object.entries(value).every(
    ([key, part]) => findUnstorableCharacter(key) === undefined && isClean(part, depth + 1),
  );
};
