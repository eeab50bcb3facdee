/** The words of the page of deliveries, in the language of the page. */
import { createTranslationHook } from '../../words/index.ts';
import { en } from '../../words/deliveries/en.ts';
import { pt } from '../../words/deliveries/pt.ts';

export const useDeliveryWords = createTranslationHook<keyof typeof en>({ en, pt });
