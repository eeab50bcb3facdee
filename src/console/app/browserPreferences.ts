/** What a person chose in this browser: language, theme, single keys. Without a choice the browser's wish counts. */
import { createReactiveStore } from './store.ts';

export type ConsoleLanguage = 'en' | 'pt';
export type Theme = 'light' | 'dark';

const kept = (name: string): string | null => {
  try {
    return localStorage.getItem(`ramal.${name}`);
  } catch {
    return null;
  }
};

/** In a private window nothing is kept, and the choice lasts as long as the page. */
const keep = (name: string, value: string): void => {
  try {
    localStorage.setItem(`ramal.${name}`, value);
  } catch {
    // Nothing to be done: the choice holds for this page.
  }
};

const requestedLanguage = (): ConsoleLanguage => {
  const chosen = kept('lang');
  if (chosen === 'en' || chosen === 'pt') return chosen;
  const first = navigator.languages.find((tag) => /^(pt|en)\b/i.test(tag));
  return first?.toLowerCase().startsWith('pt') ? 'pt' : 'en';
};

export const language = createReactiveStore<ConsoleLanguage>(requestedLanguage());
/** Whether single keys act: who dictates may switch them off. `/` and Ctrl-K stay. */
export const singleKeyShortcutsOn = createReactiveStore<boolean>(kept('keys') !== 'off');

/** BCP 47, for dates and numbers. */
export const localeOf = (of: ConsoleLanguage): string => (of === 'pt' ? 'pt-BR' : 'en');

const showLanguage = (of: ConsoleLanguage): void => {
  document.documentElement.lang = localeOf(of);
};

const showTheme = (theme: string | null): void => {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
};

/** Before the first paint. */
export const applyLanguageAndTheme = (): void => {
  showLanguage(language.get());
  showTheme(kept('theme'));
};

/** The other language, from now on. */
export const switchLanguage = (): void => {
  const next = language.get() === 'pt' ? 'en' : 'pt';
  keep('lang', next);
  showLanguage(next);
  language.set(next);
};

const themeNow = (): Theme => {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
};

/** The other theme, from now on. */
export const switchTheme = (): void => {
  const next = themeNow() === 'dark' ? 'light' : 'dark';
  keep('theme', next);
  showTheme(next);
};

/** Single keys on or off, from now on. */
export const switchSingleKeys = (): void => {
  const next = !singleKeyShortcutsOn.get();
  keep('keys', next ? 'on' : 'off');
  singleKeyShortcutsOn.set(next);
};
