/** The words that only a machine's page says, in the language of the page. */
import { createTranslationHook } from '../../words/index.ts';
import { en } from '../../words/machine/en.ts';
import { pt } from '../../words/machine/pt.ts';

export type MachineWord = keyof typeof en;
export const useMachineWords = createTranslationHook<MachineWord>({ en, pt });
