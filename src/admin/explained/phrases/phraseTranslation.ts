/**
 * Particulars in both languages. Charts, providers and admission write them in English, and machines keep them so; a
 * phrase is the form of one of them, and what it says in each language. What fits no phrase are words of others.
 */
import type { Both, Language } from '../language.ts';

/** `{n}`, a single letter: digits; `{code}`: as of an error of the system; `{name}`: any text, put into words as well. */
export interface PhraseTranslation {
  form: RegExp;
  says: Both;
}

/** `said`: as it is written and kept. `en`: where people are told otherwise than that. */
export const definePhraseTranslation = (said: string, pt: string, en = said): PhraseTranslation => ({
  form: new RegExp(`^${said.replaceAll(/[.*+?^$()[\]|\\]/g, String.raw`\$&`).replaceAll(/\{(\w+)\}/g, gap)}$`, 's'),
  says: { en, pt },
}); // prettier-ignore

const gap = (_all: string, name: string): string =>
  `(?<${name}>${gaps[name] ?? (name.length === 1 ? digits : '.+')})`;
const digits = String.raw`\d+`;
const gaps: Readonly<Record<string, string>> = { code: '[A-Z][A-Z0-9_]+' };

/** The phrase that fits, filled in; `put`: what stands in its gaps, in words. */
export const translateMatchingPhrase = (
  { form, says }: PhraseTranslation,
  text: string,
  language: Language,
  put: (part: string) => string,
): string | undefined => {
  const found = form.exec(text);
  if (!found) return undefined;
  return says[language].replaceAll(/\{(\w+)\}/g, (_all, name: string) => put(found.groups?.[name] ?? ''));
};
