/** The last error of a delivery in words, in both languages: pages and streams of readers of either show it. */
import * as z from 'zod';
import type { Both } from '../explained/language.ts';
import { translateKnownText } from '../explained/translateKnownPhrases.ts';

export const lastErrorInWordsSchema = z
  .object({ en: z.string(), pt: z.string() })
  .describe(
    '`last_error` in words, in English and in Portuguese. What a receiver said stands as it said it.',
  );

/** `notNow: it answered HTTP 500`, as the record has it, without the code before it. Empty: there was none. */
export const lastErrorInWords = (kept: string): Both => {
  const sentence = kept.replace(/^[a-zA-Z]+: /, '');
  return {
    en: translateKnownText(sentence, 'en') ?? sentence,
    pt: translateKnownText(sentence, 'pt') ?? sentence,
  };
};
