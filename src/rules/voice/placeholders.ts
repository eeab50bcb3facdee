/**
 * The words in angle brackets that a text may carry, and what is said in their place (spec 4.2 "Placeholders").
 */

/** Values by the canonical word: `nome`, `extra1` … `extra4`, `cod_cli`. */
export type PlaceholderValues = Readonly<Record<string, string>>;

const canonical: Readonly<Record<string, string>> = {
  nome: 'nome',
  name: 'nome',
  extra1: 'extra1',
  extra2: 'extra2',
  extra3: 'extra3',
  extra4: 'extra4',
  cod_cli: 'cod_cli',
  codcli: 'cod_cli',
};

const words = /<([a-z_]+[1-4]?)>/gi;

/** Fills a text in. A known word without a value is silent; an unknown one stays as it was written. */
export const fillPlaceholders = (text: string, values: PlaceholderValues): string =>
  text.replace(words, (written, word: string) => {
    const name = canonical[word.toLowerCase()];
    return name === undefined ? written : (values[name] ?? '');
  });

/** The canonical words that a text names. */
export const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(words)].flatMap(([, word]) => canonical[word!.toLowerCase()] ?? []);

/** Whether a text says something else for other values. */
export const hasPlaceholders = (text: string): boolean => placeholdersOf(text).length > 0;
