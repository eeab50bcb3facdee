/** The words of the pages of settings, in the language of the page. */
import { language } from '../../browserPreferences.ts';
import { useStore } from '../../store.ts';
import { createTranslationHook } from '../../words/index.ts';
import { en } from '../../words/settings/en.ts';
import {
  consoleActionLabelsEn,
  type ConsoleActionLabel,
  type Name,
  resourceNamesEn,
} from '../../words/settings/names.en.ts';
import { consoleActionLabelsPt, resourceNamesPt } from '../../words/settings/names.pt.ts';
import { pt } from '../../words/settings/pt.ts';
import { resourceNameFromPath } from './settingsPageAddresses.ts';

export type SettingsTranslationKey = keyof typeof en;

export const useSettingsWords = createTranslationHook<SettingsTranslationKey>({ en, pt });

const names = { en: resourceNamesEn, pt: resourceNamesPt };
const actions = { en: consoleActionLabelsEn, pt: consoleActionLabelsPt };

/** What resources are called; one that no book knows is called by its path. */
export const useResourceNames = (): ((at: string) => Name) => {
  const book = names[useStore(language)];
  return (at) =>
    book[resourceNameFromPath(at)] ?? {
      many: resourceNameFromPath(at),
      one: resourceNameFromPath(at),
      says: '',
      first: '',
    };
};

export const useActionNames = (): ((path: string) => ConsoleActionLabel) => {
  const book = actions[useStore(language)];
  return (path) =>
    book[resourceNameFromPath(path)] ?? {
      title: resourceNameFromPath(path),
      verb: resourceNameFromPath(path),
    };
};

/** Within a sentence: `token`, but `SMS route`. */
export const lowercaseForSentence = (name: string): string =>
  /^\p{Lu}\p{Lu}/u.test(name) ? name : name.slice(0, 1).toLowerCase() + name.slice(1);
