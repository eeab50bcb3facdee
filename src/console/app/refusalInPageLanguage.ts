/** What the service refuses, in the language of the page. */
import { language } from './settings.ts';

/** As it came, where Portuguese has no words for it, or these do not load. */
export const refusalInPageLanguage = async (sentence: string): Promise<string> => {
  if (language.get() !== 'pt') return sentence;
  try {
    const { refusalInPortuguese } = await import('./portuguese/refusals/pt.ts');
    return refusalInPortuguese(sentence) ?? sentence;
  } catch {
    return sentence;
  }
};
