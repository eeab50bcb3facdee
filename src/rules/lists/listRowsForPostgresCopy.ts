/**
 * From the fields of records to rows as COPY takes them. All text here is byte strings (one character a byte of
 * UTF-8), so that plain lists are never decoded and encoded again.
 */
import { ListBroken } from './broken.ts';
import {
  listRecordColumnCount,
  listColumnMaxLengths,
  listColumnNames,
  type DestinationRecordValues,
  listPhoneColumnIndex,
} from './columns.ts';
import { readListRecordPhones } from './parseRecordPhones.ts';
import { trimTrailingCharacter } from '../../lib/trimEnd.ts';

/** So many bytes of a refused record are kept. */
const keptOfRefused = 200;

/** Rows of one list, gathered until they are taken. */
export class ListRowBuffer {
  readonly #prefix: string;
  readonly #maxRecords: number;
  #records = '';
  #rejects = '';
  #row = 0;
  accepted = 0;
  rejected = 0;
  /** Why the first of the refused records was refused: completes "record 3: …". Undefined: none was. */
  firstRefusal: { row: number; why: string } | undefined;
  /** Records with values beyond the last column, which are not kept. */
  cut = 0;
  /** Of the accepted records as they are stored, without the keys that all of them share. */
  bytes = 0;

  /** `after`: the row before the first. Default 0. */
  constructor(list: { account: number; id: number; maxRecords: number; after?: number }) {
    this.#prefix = `${list.account}\t${list.id}\t`;
    this.#maxRecords = list.maxRecords;
    this.#row = list.after ?? 0;
  }

  /** Row of the record that comes next. */
  get next(): number {
    return this.#row + 1;
  }

  /**
   * Takes a record, or keeps why not. `plain`: the fields are known to hold neither control characters nor
   * backslashes. `content` is asked for when the record is refused. Throws `ListBroken` beyond the limit.
   */
  add(fields: DestinationRecordValues, plain: boolean, content: () => string): void {
    this.#count();
    const phones = readListRecordPhones(fields[listPhoneColumnIndex]!);
    const why = phones ? whyNot(fields, plain) : whyNoPhone(fields[listPhoneColumnIndex]!);
    if (why !== undefined || !phones) return this.#reject(why!, content());
    const { numbers, region, area, mobile } = phones;
    let line = `${this.#row}\t${numbers}\t${region}\t${area}\t${mobile ? 't' : 'f'}`;
    for (let column = 1; column < listRecordColumnCount; column += 1) {
      line += plain ? `\t${fields[column]}` : `\t${escaped(fields[column]!)}`;
    }
    this.accepted += 1;
    this.bytes += line.length + 1;
    this.#records += `${this.#prefix}${line}\n`;
    return undefined;
  }

  /** Keeps a record that has no fields to speak of. */
  refuse(why: string, content: string): void {
    this.#count();
    this.#reject(why, content);
  }

  get gathered(): { records: number; rejects: number } {
    return { records: this.#records.length, rejects: this.#rejects.length };
  }

  /** Rows for `list_records`, which are forgotten here. */
  takeRecords(): Buffer {
    const taken = Buffer.from(this.#records, 'latin1');
    this.#records = '';
    return taken;
  }

  /** Rows for `list_rejects`. */
  takeRejects(): Buffer {
    const taken = Buffer.from(this.#rejects, 'latin1');
    this.#rejects = '';
    return taken;
  }

  #count(): void {
    this.#row += 1;
    if (this.#row > this.#maxRecords)
      throw new ListBroken(`a list has at most ${this.#maxRecords} records`, { tooMany: true });
  }

  #reject(why: string, content: string): void {
    this.rejected += 1;
    this.firstRefusal ??= { row: this.#row, why };
    const kept = wholeCharacters(content.slice(0, keptOfRefused)).replaceAll('\0', '');
    this.#rejects += `${this.#prefix}${this.#row}\t${escaped(textToUtf8ByteString(why))}\t${escaped(kept)}\n`;
  }
}

/** Text as a byte string. */
export const textToUtf8ByteString = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text).toString('latin1');

const whyNot = (fields: DestinationRecordValues, plain: boolean): string | undefined => {
  for (let column = 0; column < listRecordColumnCount; column += 1) {
    const field = fields[column]!;
    if (field.length > listColumnMaxLengths[column]! && characters(field) > listColumnMaxLengths[column]!)
      return `${listColumnNames[column]} is longer than ${listColumnMaxLengths[column]} characters`;
    if (!plain && field.includes('\0')) return `${listColumnNames[column]} contains NUL`;
  }
  return undefined;
};

const whyNoPhone = (phone: string): string =>
  phone === '' ? 'phone is missing' : 'phone is not a telephone number';

const characters = (bytes: string): number => Buffer.from(bytes, 'latin1').toString().length;

/** COPY's own signs, written so that they arrive. */
const escaped = (bytes: string): string =>
  /[\\\t\n\r]/.test(bytes) ? bytes.replace(/[\\\t\n\r]/g, (sign) => signs[sign]!) : bytes;

const signs: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A byte string cut anywhere, without the beginning of a character at its end, and without what is no UTF-8. */
const wholeCharacters = (bytes: string): string =>
  Buffer.from(trimTrailingCharacter(Buffer.from(bytes, 'latin1').toString(), '\ufffd')).toString('latin1');
