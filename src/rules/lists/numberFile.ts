/**
 * A file of telephone numbers, one a line, read piece by piece. Nothing of it is held but the line that is not whole yet
 * and the numbers that have not been taken.
 */
import { decodeUtf8OrLatin1 } from '../../lib/clientTextEncoding.ts';
import { readPhoneNumber } from '../voice/parsePhoneNumber.ts';

/** A line that is no number, and why. */
export interface RefusedLine {
  /** From 1. */
  line: number;
  why: string;
}

export interface PhoneNumberFileOptions {
  /** Which field of a line is the number, from 1. The fields are parted by `,`, `;` or a tab. */
  column: number;
  /** Which line of the whole file the first one is: of 1, a line without a digit is a heading, and passed over. */
  firstLine: number;
}

/** Of a line, bytes. What is longer is refused, and not held. */
const longestLine = 1_000;
/** Lines that are refused by name; the others are counted. */
const mostNamed = 20;

const newline = 0x0a;
const byteOrderMark = /^\u00ef\u00bb\u00bf/;
/** XLSX and ODS are ZIP archives; XLS is a compound file. */
const workbook = /^(PK\u0003\u0004|\u00d0\u00cf\u0011\u00e0)/;

export class PhoneNumberFileReader {
  /** The first lines that were refused. */
  readonly refusals: RefusedLine[] = [];
  /** Lines so far that hold anything. */
  lines = 0;
  refused = 0;
  readonly #options: PhoneNumberFileOptions;
  #numbers: string[] = [];
  /** Of the next line. */
  #line: number;
  /** The beginning of the line that is not whole, of bytes. */
  #rest = '';
  #isTooLong = false;
  #isBegun = false;

  constructor(options: PhoneNumberFileOptions) {
    this.#options = options;
    this.#line = options.firstLine;
  }

  /** Whole lines that wait to be taken. */
  get waiting(): number {
    return this.#numbers.length;
  }

  /** Whether the file begins as spreadsheets and archives do. */
  isWorkbook(chunk: Buffer): boolean {
    return !this.#isBegun && workbook.test(chunk.toString('latin1', 0, 4));
  }

  push(chunk: Buffer): void {
    this.#isBegun = true;
    let at = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, at)) {
      this.#grow(chunk, at, end);
      this.#endLine();
      at = end + 1;
    }
    this.#grow(chunk, at, chunk.length);
  }

  /** The last line needs no line end. */
  end(): void {
    if (this.#rest !== '' || this.#isTooLong) this.#endLine();
  }

  /** The numbers that were read since, as they are dialled. */
  take(): string[] {
    const numbers = this.#numbers;
    this.#numbers = [];
    return numbers;
  }

  #grow(chunk: Buffer, from: number, to: number): void {
    if (this.#rest.length + to - from > longestLine) this.#isTooLong = true;
    if (this.#isTooLong) this.#rest = '';
    else if (to > from) this.#rest += chunk.toString('latin1', from, to);
  }

  #endLine(): void {
    if (this.#isTooLong) this.#refuse(`the line is longer than ${longestLine} bytes`);
    else this.#read(this.#line === 1 ? this.#rest.replace(byteOrderMark, '') : this.#rest);
    this.#line += 1;
    this.#rest = '';
    this.#isTooLong = false;
  }

  #read(line: string): void {
    if (line.trim() === '') return;
    if (this.#line === 1 && !/\d/.test(line)) return;
    const { column } = this.#options;
    const field = textOf(fieldOf(line, column));
    if (field === '') return this.#refuse(`field ${column} of the line is empty`);
    const read = readPhoneNumber(field, { brazil: true });
    if (read.kind === 'refused') return this.#refuse(read.why);
    this.lines += 1;
    this.#numbers.push(read.number);
  }

  #refuse(why: string): void {
    this.lines += 1;
    this.refused += 1;
    if (this.refusals.length < mostNamed) this.refusals.push({ line: this.#line, why });
  }
}

/** A number is ASCII; what is none is shown in the refusal as it was written. */
const textOf = (bytes: string): string =>
  /[\u0080-\u00ff]/.test(bytes) ? decodeUtf8OrLatin1(Buffer.from(bytes, 'latin1')) : bytes;

/** The delimiter is the first of its kind in the line; quotes around a field are taken away. */
const fieldOf = (line: string, column: number): string => {
  const delimiter = /[,;\t]/.exec(line)?.[0];
  const field = delimiter === undefined ? [line][column - 1] : line.split(delimiter, column)[column - 1];
  return (field ?? '')
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();
};
