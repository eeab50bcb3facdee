/** The console's sentences in the language of the page. */
import { type Language, language, localeOf } from '../settings.ts';
import { useStore } from '../store.ts';
import { en } from './en.ts';
import { pt } from './pt.ts';

export type Word = keyof typeof en;
export type Fill = Readonly<Record<string, string | number>>;
/** A sentence with what is filled in. */
export type Say = (word: Word, fill?: Fill) => string;

const dictionaries: Record<Language, Record<Word, string>> = { en, pt };

/** Says sentences of a book. */
export type SayOf<Own extends string> = (word: Own, fill?: Fill) => string;
export type Dictionaries<Own extends string> = Record<Language, Readonly<Record<Own, string>>>;

const sayIn =
  <Own extends string>(of: Language, book: Readonly<Record<Own, string>>): SayOf<Own> =>
  (word, fill = {}) =>
    book[word].replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const value = fill[name];
      return value === undefined ? whole : typeof value === 'number' ? numberIn(of, value) : value;
    });

/** Sentences of pages that are loaded when they are asked for, with a book of their own in each language. */
export const wordsOf = <Own extends string>(own: Dictionaries<Own>): (() => SayOf<Own>) => {
  const says = { en: sayIn('en', own.en), pt: sayIn('pt', own.pt) };
  return () => says[useStore(language)];
};

/** Says sentences in the language of the page; draws anew when that changes. */
export const useWords: () => Say = wordsOf(dictionaries);

const formats = new Map<string, Intl.NumberFormat>();

const numberIn = (of: Language, value: number, digits = 0): string => {
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
export const number = (value: number, digits = 0): string => numberIn(language.get(), value, digits);
