/** What is said in both languages, and what to do about it. */
import type { Both } from './language.ts';

export interface ExplanationText {
  says: Both;
  /** Absent: nothing is left to do. */
  todo?: Both;
}

export const both = (en: string, pt: string): Both => ({ en, pt });

export const one = (en: string, pt: string, todo?: Both): ExplanationText => ({
  says: { en, pt },
  ...(todo && { todo }),
});

/** An entry of a table, and not of its prototype: keys come from outside. */
export const getOwnEntry = <Entry>(table: Readonly<Record<string, Entry>>, key: string): Entry | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
