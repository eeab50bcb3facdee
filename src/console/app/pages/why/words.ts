/** The words of Why, in the language of the page. */
import { wordsOf } from '../../words/index.ts';
import { en } from '../../words/why/en.ts';
import { pt } from '../../words/why/pt.ts';

export type WhyWord = keyof typeof en;
export const useWhyWords = wordsOf<WhyWord>({ en, pt });
