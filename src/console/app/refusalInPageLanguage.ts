/** What the service refuses, in the language of the page. */
import { language } from './browserPreferences.ts';
import { explainStorageWords } from './explainStorageWords.ts';
import { showInstants } from './showInstants.ts';

/** Longer ones hold what others said, which is looked for in no shape of ours; characters. */
const longest = 1_000;

/** As it came but for its days and instants, where Portuguese has no words for it, or these do not load. */
export const refusalInPageLanguage = async (sentence: string): Promise<string> =>
  sentence.length > longest ? sentence : showInstants(await inPageLanguage(sentence));

const inPageLanguage = async (sentence: string): Promise<string> => {
  if (language.get() !== 'pt') return explainStorageWords(sentence);
  try {
    const { refusalInPortuguese } = await import('./portuguese/refusals/pt.ts');
    return refusalInPortuguese(sentence) ?? sentence;
  } catch {
    return sentence;
  }
};
