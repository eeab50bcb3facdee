/** Parameters that act on one word only: another word is served as if it were absent, and told. */

export interface KnownWords {
  /** The word that acts, as the interface writes it. */
  acts: string;
  /** Words that say the opposite on purpose, in lower case: nothing is told. */
  silent: readonly string[];
  /** What is done instead, to complete "type knows only on: …". */
  instead: string;
}

/** Warns where a given `value` is neither the word that acts nor one that says the opposite. */
export const warnOfUnknownWord = (
  { warn }: { warn(sentence: string): void },
  parameter: string,
  value: string | undefined,
  { acts, silent, instead }: KnownWords,
): void => {
  const word = value?.trim().toLowerCase() ?? '';
  if (word === '' || word === acts.toLowerCase() || silent.includes(word)) return;
  warn(`${parameter} knows only ${acts}: ${instead}`);
};
