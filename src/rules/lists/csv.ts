/**
 * Lists as CSV: the first row names the columns; comma, semicolon or tab; quotes as in RFC 4180. A quote that stands where
 * none may stand costs its own line, and what follows is read on from the next one.
 */
import { listRecordError, ListBroken, maxListRecordBytes, listRecordTooLongError } from './broken.ts';
import { listRecordColumnCount, listColumnOfHeader, listPhoneColumnIndex } from './columns.ts';
import type { ListRowBuffer } from './listRowsForPostgresCopy.ts';

const delimiters = ['\t', ';', ','];

interface Header {
  delimiter: string;
  /** Where each of our columns stands, under all of its names; empty: nowhere. */
  places: readonly (readonly number[])[];
  width: number;
}

/** Reads a list piece by piece. Text is byte strings. Throws `ListBroken`. */
export class CsvListReader {
  readonly #rows: ListRowBuffer;
  #header: Header | undefined;
  /** The beginning of a record that goes on in the next piece. */
  #rest = '';
  /** Whether lines end with a carriage return alone, as old programs of the Macintosh write them; undefined: no line ended yet. */
  #endsWithReturn: boolean | undefined;
  readonly #cells: string[] = [];
  readonly #fields: string[] = Array.from({ length: listRecordColumnCount }, () => '');

  constructor(rows: ListRowBuffer) {
    this.#rows = rows;
  }

  push(piece: string): void {
    this.#endsWithReturn ??= endsWithReturn(this.#rest + piece);
    const text = this.#withLineFeeds(this.#rest + piece);
    this.#rest = text.slice(this.#readRecords(text, false));
    if (this.#rest.length > maxListRecordBytes) throw this.#endless();
  }

  end(): void {
    const text = this.#withLineFeeds(this.#rest);
    if (this.#readRecords(text, true) < text.length) throw this.#endless();
    if (!this.#header) throw new ListBroken('the file is empty');
  }

  /** Of the record that comes next, or of the header. */
  get #line(): number {
    return this.#header ? this.#rows.next + 1 : 1;
  }

  /** Where a quote has no end, no later record can be told from the text within it. */
  #endless(): ListBroken {
    return this.#rest.includes('"')
      ? listRecordError(this.#rows.next, 'a quote is not closed', this.#line)
      : listRecordTooLongError(this.#rows.next, this.#line);
  }

  #withLineFeeds(text: string): string {
    return this.#endsWithReturn ? text.replaceAll(/\r\n?/g, '\n') : text;
  }

  /** Refuses the line that begins there; answers where the next does. Undefined: its end has not come yet. */
  #refuseLine(text: string, from: number, isLast: boolean, why: string): number | undefined {
    if (!this.#header) throw listRecordError(this.#rows.next, why, this.#line);
    const newline = text.indexOf('\n', from);
    if (newline < 0 && !isLast) return undefined;
    const end = newline < 0 ? text.length : newline;
    this.#rows.refuse(why, text.slice(from, text[end - 1] === '\r' ? end - 1 : end));
    return Math.min(end + 1, text.length);
  }

  /** Reads the whole records of a text; answers how far. */
  #readRecords(text: string, isLast: boolean): number {
    const hasQuotes = text.includes('"');
    const plain = !hasQuotes && !text.includes('\\') && !text.includes('\0') && !bareReturn.test(text);
    let at = 0;
    while (at < text.length) {
      const newline = text.indexOf('\n', at);
      if (newline < 0 && !isLast) break;
      const end = newline < 0 ? text.length : newline;
      const line = text.slice(at, text.charCodeAt(end - 1) === 0x0d && end > at ? end - 1 : end);
      if (hasQuotes && line.includes('"')) {
        const after = this.#readQuoted(text, at, isLast);
        if (after === undefined) break;
        at = after;
      } else {
        if (line.length > maxListRecordBytes) throw listRecordTooLongError(this.#rows.next, this.#line);
        at = end + 1;
        if (line !== '') this.#takeLine(line, plain);
      }
    }
    return Math.min(at, text.length);
  }

  #takeLine(line: string, plain: boolean): void {
    if (!this.#header) {
      this.#header = readHeader(line);
      return;
    }
    const { delimiter } = this.#header;
    const cells = this.#cells;
    cells.length = 0;
    let from = 0;
    for (let to = line.indexOf(delimiter); to >= 0; to = line.indexOf(delimiter, from)) {
      cells.push(line.slice(from, to));
      from = to + 1;
    }
    cells.push(line.slice(from));
    this.#takeCells(plain && (delimiter === '\t' || !line.includes('\t')), () => line);
  }

  #takeCells(plain: boolean, content: () => string): void {
    const { places, width } = this.#header!;
    const cells = this.#cells;
    if (cells.length > width && cells.slice(width).some((cell) => trimmed(cell) !== '')) {
      this.#rows.refuse(`it has ${cells.length} fields, the header ${width}`, content());
      return;
    }
    for (let column = 0; column < listRecordColumnCount; column += 1) {
      let field = '';
      for (const place of places[column]!) if (field === '') field = trimmed(cells[place] ?? '');
      this.#fields[column] = field;
    }
    this.#rows.add(this.#fields, plain, content);
  }

  /** A record with quotes, which may go on over lines. Answers where the next begins; undefined: it has no end yet. */
  #readQuoted(text: string, from: number, isLast: boolean): number | undefined {
    const delimiter = this.#header?.delimiter ?? delimiterOf(text.slice(from, from + maxListRecordBytes));
    const cells: string[] = [];
    for (let at = from; ;) {
      const cell =
        text[at] === '"' ? readQuotedCell(text, at, isLast) : readBareCell(text, at, delimiter, isLast);
      if (cell === undefined) return undefined;
      cells.push(cell.text);
      at = cell.end;
      if (text[at] === delimiter) {
        at += 1;
        continue;
      }
      const after = text[at] === '\r' && text[at + 1] === '\n' ? at + 1 : at;
      if (after < text.length && text[after] !== '\n')
        return this.#refuseLine(text, from, isLast, 'a quoted field goes on behind its closing quote');
      if (at - from > maxListRecordBytes) throw listRecordTooLongError(this.#rows.next, this.#line);
      this.#takeQuoted(cells, text.slice(from, at));
      return after + 1;
    }
  }

  #takeQuoted(cells: string[], record: string): void {
    if (!this.#header) {
      this.#header = headerOf(cells, delimiterOf(record));
      return;
    }
    this.#cells.length = 0;
    this.#cells.push(...cells);
    this.#takeCells(false, () => record);
  }
}

/** Within a line: it is part of a cell. */
const bareReturn = /\r(?!\n)/;

/** By the first end of a line. Undefined: there is none yet, or it may go on with a line feed. */
const endsWithReturn = (text: string): boolean | undefined => {
  const at = text.search(/[\r\n]/);
  if (at < 0 || (text[at] === '\r' && at === text.length - 1)) return undefined;
  return text[at] === '\r' && text[at + 1] !== '\n';
};

const readQuotedCell = (
  text: string,
  from: number,
  isLast: boolean,
): { text: string; end: number } | undefined => {
  for (let at = from + 1; ;) {
    const close = text.indexOf('"', at);
    if (close < 0) return undefined;
    // What follows the quote tells whether it closes; at the end of a piece that is not known yet.
    if (close + 2 >= text.length && !isLast) return undefined;
    if (text[close + 1] !== '"')
      return { text: text.slice(from + 1, close).replaceAll('""', '"'), end: close + 1 };
    at = close + 2;
  }
};

const readBareCell = (
  text: string,
  from: number,
  delimiter: string,
  isLast: boolean,
): { text: string; end: number } | undefined => {
  let at = from;
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n') at += 1;
  if (at === text.length && !isLast) return undefined;
  const end = text[at] !== delimiter && text[at - 1] === '\r' ? at - 1 : at;
  return { text: text.slice(from, Math.max(from, end)), end: Math.max(from, end) };
};

const readHeader = (line: string): Header => {
  const delimiter = delimiterOf(line);
  return headerOf(line.split(delimiter), delimiter);
};

/** The delimiter that stands most often in the header, outside of quotes. */
const delimiterOf = (record: string): string => {
  const bare = (/^[^\n]*/.exec(record)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const count = (sign: string): number => bare.split(sign).length;
  return delimiters.toSorted((a, b) => count(b) - count(a))[0]!;
};

const headerOf = (cells: readonly string[], delimiter: string): Header => {
  const columns = cells.map((cell) => listColumnOfHeader(Buffer.from(cell, 'latin1').toString()));
  const places = Array.from({ length: listRecordColumnCount }, (_, column) =>
    columns.flatMap((named, place) => (named === column ? [place] : [])),
  );
  if (places[listPhoneColumnIndex]!.length === 0)
    throw new ListBroken(
      'the first row names no column phone: write one there that names the columns, e.g. phone;name',
    );
  return { delimiter, places, width: cells.length };
};

/** Without spaces around: only of ASCII, because a byte above may be a part of a letter. */
const trimmed = (cell: string): string => {
  let from = 0;
  let to = cell.length;
  while (from < to && cell.charCodeAt(from) <= 0x20 && cell.charCodeAt(from) > 0) from += 1;
  while (to > from && cell.charCodeAt(to - 1) <= 0x20 && cell.charCodeAt(to - 1) > 0) to -= 1;
  return from === 0 && to === cell.length ? cell : cell.slice(from, to);
};
