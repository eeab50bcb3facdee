/** The words of the pages of settings, in the language of the page. */
import { language } from '../../settings.ts';
import { useStore } from '../../store.ts';
import { wordsOf } from '../../words/index.ts';
import { en } from '../../words/settings/en.ts';
import { actionsEn, type ActionName, type Name, namesEn } from '../../words/settings/names.en.ts';
import { actionsPt, namesPt } from '../../words/settings/names.pt.ts';
import { pt } from '../../words/settings/pt.ts';
import { nameOf } from './places.ts';

export type SettingsWord = keyof typeof en;

export const useSettingsWords = wordsOf<SettingsWord>({ en, pt });

const names = { en: namesEn, pt: namesPt };
const actions = { en: actionsEn, pt: actionsPt };

/** What resources are called; one that no book knows is called by its path. */
export const useNames = (): ((at: string) => Name) => {
  const book = names[useStore(language)];
  return (at) => book[nameOf(at)] ?? { many: nameOf(at), one: nameOf(at), says: '', first: '' };
};

export const useActionNames = (): ((path: string) => ActionName) => {
  const book = actions[useStore(language)];
  return (path) => book[nameOf(path)] ?? { title: nameOf(path), verb: nameOf(path) };
};

/** Within a sentence: `token`, but `SMS route`. */
export const inSentence = (name: string): string =>
  /^\p{Lu}\p{Lu}/u.test(name) ? name : name.slice(0, 1).toLowerCase() + name.slice(1);
