/** The console's sentences in the language of the page. */
import { type ConsoleLanguage, language, localeOf } from '../browserPreferences.ts';
import { useStore } from '../store.ts';
import { en } from './en.ts';
import { type Fill, fillIn } from './fillIn.ts';
import { pt } from './pt.ts';

export type Word = keyof typeof en;
/** A sentence with what is filled in. */
export type Say = (word: Word, fill?: Fill) => string;

const dictionaries: Record<ConsoleLanguage, Record<Word, string>> = { en, pt };

/** Says sentences of a book. What is filled in as text keeps its direction to itself. */
export type TranslateFunction<Own extends string> = (word: Own, fill?: Fill) => string;
export type TranslationsByLanguage<Own extends string> = Record<
  ConsoleLanguage,
  Readonly<Record<Own, string>>
>;

const sayIn =
  <Own extends string>(of: ConsoleLanguage, book: Readonly<Record<Own, string>>): TranslateFunction<Own> =>
  (word, fill = {}) =>
    fillIn(book[word], fill, (value) => numberIn(of, value));

/** Sentences of pages that are loaded when they are asked for, with a book of their own in each language. */
export const createTranslationHook = <Own extends string>(
  own: TranslationsByLanguage<Own>,
): (() => TranslateFunction<Own>) => {
  const says = { en: sayIn('en', own.en), pt: sayIn('pt', own.pt) };
  return () => says[useStore(language)];
};

/** Says a sentence in the language that the page has now. Outside of what is drawn; within it, `useTranslation`. */
export const sayNow: Say = (word, fill) => sayIn(language.get(), dictionaries[language.get()])(word, fill);

/** Says sentences in the language of the page; draws anew when that changes. */
export const useTranslation: () => Say = createTranslationHook(dictionaries);

const formats = new Map<string, Intl.NumberFormat>();

const numberIn = (of: ConsoleLanguage, value: number, digits = 0): string => {
  const key = `${of} ${digits}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(localeOf(of), {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formats.set(key, format);
  }
  return format.format(value);
};

/** A number as the language of the page writes it. */
export const formatLocalizedNumber = (value: number, digits = 0): string =>
  numberIn(language.get(), value, digits);
