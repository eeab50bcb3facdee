/** The words of the page of deliveries, in the language of the page. */
import { wordsOf } from '../../words/index.ts';
import { en } from '../../words/deliveries/en.ts';
import { pt } from '../../words/deliveries/pt.ts';

export const useDeliveryWords = wordsOf<keyof typeof en>({ en, pt });
