/** The words of Why, in the language of the page. */
import { createTranslationHook } from '../../words/index.ts';
import { en } from '../../words/why/en.ts';
import { pt } from '../../words/why/pt.ts';

export type WhyTranslationKey = keyof typeof en;
export const useWhyWords = createTranslationHook<WhyTranslationKey>({ en, pt });
