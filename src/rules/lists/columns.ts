/** The columns of a destination list (spec 2.4), in the order of a positional record. */

/** Values of one record, a place for each column: phone, name, client code, extra 1 to 4. Empty: none. */
export type DestinationRecordValues = readonly string[];

export const listRecordColumnCount = 7;
export const listPhoneColumnIndex = 0;

/** Characters a column may hold. */
export const listColumnMaxLengths: readonly number[] = [200, 200, 200, 500, 500, 500, 500];

/** How refusals name them. */
export const listColumnNames: readonly string[] = [
  'phone',
  'name',
  'cod_cli',
  'extra1',
  'extra2',
  'extra3',
  'extra4',
];

const words: readonly (readonly string[])[] = [
  ['phone', 'tel', 'telefone', 'numero', 'number'],
  ['name', 'nome'],
  ['cod_cli', 'codcli'],
  ['extra1'],
  ['extra2'],
  ['extra3'],
  ['extra4'],
];

const byWord = new Map(words.flatMap((names, column) => names.map((name) => [name, column])));

/** Far longer than any name, with its accents and spaces: what is longer is not even looked at. */
const longestWord = 200;

/** The column that a header or a key names, in any case and with or without accents; undefined for others. */
export const listColumnOfHeader = (word: string): number | undefined =>
  word.length > longestWord
    ? undefined
    : byWord.get(
        word
          .trim()
          .toLowerCase()
          .normalize('NFD')
          .replace(/\p{Mn}/gu, ''),
      );
