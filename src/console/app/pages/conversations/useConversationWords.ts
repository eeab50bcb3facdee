/** The words of the page of conversations, in the language of the page. */
import { createTranslationHook } from '../../words/index.ts';
import { en } from '../../words/conversations/en.ts';
import { pt } from '../../words/conversations/pt.ts';

export const useConversationWords = createTranslationHook<keyof typeof en>({ en, pt });
