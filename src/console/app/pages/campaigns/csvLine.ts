/** The beginning of a CSV file and single lines of it, as the service reads them: to show refused rows in their columns. */

/** The columns of a list. */
export const destinationListColumns = [
  'phone',
  'name',
  'cod_cli',
  'extra1',
  'extra2',
  'extra3',
  'extra4',
] as const;
export type DestinationListColumnName = (typeof destinationListColumns)[number];

/** As headers name them, in any case and without accents. */
const words: Readonly<Record<string, DestinationListColumnName>> = {
  ...{ phone: 'phone', tel: 'phone', telefone: 'phone', numero: 'phone', number: 'phone' },
  ...{ name: 'name', nome: 'name', cod_cli: 'cod_cli', codcli: 'cod_cli' },
  ...{ extra1: 'extra1', extra2: 'extra2', extra3: 'extra3', extra4: 'extra4' },
};

export interface CsvHeader {
  delimiter: string;
  /** Which column stands at each place; undefined: another. */
  places: readonly (DestinationListColumnName | undefined)[];
  /** What the file calls its columns that are none of a list: they are not read. */
  unread: readonly string[];
}

/** What a list looks like whose first line is not known: as this service writes refused rows. */
export const defaultCsvHeader: CsvHeader = { delimiter: ';', places: destinationListColumns, unread: [] };

const delimiters = ['\t', ';', ','] as const;
/** Of a file so much is looked at for its first line, bytes. */
const lookedAt = 65_536;

/** Undefined: the file is no CSV that names its columns. */
export const readCsvHeader = async (file: Blob): Promise<CsvHeader | undefined> => {
  const [line = ''] = beginningOf(await file.slice(0, lookedAt).arrayBuffer()).split(/\r\n?|\n/);
  const count = (sign: string): number => line.split(sign).length;
  const delimiter = delimiters.toSorted((one, other) => count(other) - count(one))[0]!;
  const names = cellsOf(line, delimiter);
  const places = names.map((name) => words[plain(name)]);
  const unread = names.filter((name, at) => places[at] === undefined && name.trim() !== '');
  return places.includes('phone') ? { delimiter, places, unread } : undefined;
};

/** As UTF-16 where the file says that it is, else as UTF-8; without the mark of either. */
const beginningOf = (bytes: ArrayBuffer): string => {
  const [first, second] = new Uint8Array(bytes);
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
};

const plain = (cell: string): string =>
  cell
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '');

/** A line by column. */
export const parseCsvLine = (
  line: string,
  { delimiter, places }: CsvHeader,
): Partial<Record<DestinationListColumnName, string>> => {
  const record: Partial<Record<DestinationListColumnName, string>> = {};
  cellsOf(line, delimiter).forEach((cell, at) => {
    const column = places[at];
    if (column !== undefined) record[column] ??= cell.trim();
  });
  return record;
};

/** Cells of a line; quotes as in RFC 4180. */
const cellsOf = (line: string, delimiter: string): string[] => {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at]!;
    if (isQuoted && sign === '"' && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (sign === '"') isQuoted = !isQuoted;
    else if (sign === delimiter && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += sign;
  }
  return [...cells, cell];
};
