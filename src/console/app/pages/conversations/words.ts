/** The words of the page of conversations, in the language of the page. */
import { wordsOf } from '../../words/index.ts';
import { en } from '../../words/conversations/en.ts';
import { pt } from '../../words/conversations/pt.ts';

export const useConversationWords = wordsOf<keyof typeof en>({ en, pt });
