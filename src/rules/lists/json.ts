/** Lists as JSON: an array of objects, or of arrays in the order of the columns. */
import { listRecordError, ListBroken, maxListRecordBytes, listRecordTooLongError } from './broken.ts';
import { listRecordColumnCount, listColumnNames, listColumnOfHeader } from './columns.ts';
import { type ListRowBuffer, textToUtf8ByteString } from './listRowsForPostgresCopy.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openArray = 0x5b;
const openObject = 0x7b;
const closeArray = 0x5d;
const closeObject = 0x7d;

/** Reads an array piece by piece; each piece's whole elements are parsed at once. Throws `ListBroken`. */
export class JsonListReader {
  readonly #rows: ListRowBuffer;
  readonly #decode: (bytes: Buffer) => string;
  #rest: Buffer = Buffer.alloc(0);
  #depth = 0;
  #inText = false;
  #escaped = false;
  #state: 'before' | 'inside' | 'after' = 'before';
  readonly #columns = new Map<string, number | undefined>();

  constructor(rows: ListRowBuffer, decode: (bytes: Buffer) => string) {
    this.#rows = rows;
    this.#decode = decode;
  }

  push(piece: Buffer): void {
    const held = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    /** Where the elements begin that have not been taken, and the last of them. */
    let begin = 0;
    let last = 0;
    for (let at = this.#rest.length; at < held.length; at += 1) {
      const byte = held[at]!;
      if (this.#state !== 'inside') {
        if (this.#enter(byte)) begin = last = at + 1;
      } else if (this.#follow(byte)) {
        this.#checkLength(at - last);
        last = at + 1;
      } else if (this.#depth === 0) {
        this.#take(held.subarray(begin, at));
        if (byte !== closeArray) throw listRecordError(this.#rows.next, 'a brace closes the array');
        this.#state = 'after';
      }
    }
    if (this.#state !== 'inside') return;
    if (last > begin) this.#take(held.subarray(begin, last - 1));
    // A copy: the chunk it is a part of is otherwise kept whole.
    this.#rest = Buffer.from(held.subarray(last));
    this.#checkLength(this.#rest.length);
  }

  #checkLength(bytes: number): void {
    if (bytes > maxListRecordBytes) throw listRecordTooLongError(this.#rows.next);
  }

  end(): void {
    if (this.#state === 'before') throw new ListBroken('it is empty');
    if (this.#state === 'inside') throw listRecordError(this.#rows.next, 'the array ends before its end');
  }

  /** Outside of the array there is nothing but white space. True: it begins. */
  #enter(byte: number): boolean {
    if (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) return false;
    if (this.#state === 'after') throw listRecordError(this.#rows.next, 'something follows the array');
    if (byte !== openArray) throw new ListBroken('it is not an array of records');
    this.#state = 'inside';
    this.#depth = 1;
    return true;
  }

  /** True: a comma between elements. */
  #follow(byte: number): boolean {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quote) this.#inText = false;
    } else if (byte === quote) this.#inText = true;
    else if (byte === openObject || byte === openArray) this.#depth += 1;
    else if (byte === closeObject || byte === closeArray) this.#depth -= 1;
    else if (byte === comma && this.#depth === 1) return true;
    return false;
  }

  #take(elements: Buffer): void {
    const text = this.#decode(elements);
    if (text.trim() === '' && this.#depth === 0 && this.#rows.next === 1) return;
    for (const element of this.#parse(text)) this.#takeElement(element);
  }

  #parse(text: string): unknown[] {
    try {
      return JSON.parse(`[${text}]`) as unknown[];
    } catch {
      return this.#parseOneByOne(text);
    }
  }

  /** Finds the element that is no JSON. The ones before it are not taken either: none of the list will be. */
  #parseOneByOne(text: string): never {
    const ends = elementEnds(text);
    const wrong = ends.findIndex((end, index) => !isJson(text.slice((ends[index - 1] ?? -1) + 1, end)));
    throw listRecordError(this.#rows.next + Math.max(0, wrong), 'it is not JSON');
  }

  #takeElement(element: unknown): void {
    if (Array.isArray(element) && element.slice(listRecordColumnCount).some((value) => (value ?? '') !== ''))
      this.#rows.cut += 1;
    const fields = Array.isArray(element) ? fieldsOf(element) : this.#fieldsOfObject(element);
    const content = () => textToUtf8ByteString(writtenOut(element));
    if (typeof fields === 'string') this.#rows.refuse(fields, content());
    else this.#rows.add(fields, false, content);
  }

  #fieldsOfObject(element: unknown): string[] | string {
    if (typeof element !== 'object' || element === null) return 'it is neither an object nor an array';
    const values: unknown[] = [];
    for (const [key, value] of Object.entries(element)) {
      const column = this.#columnOf(key);
      if (column !== undefined && (values[column] ?? '') === '') values[column] = value;
    }
    return fieldsOf(values);
  }

  /** Keys repeat in every record. */
  #columnOf(key: string): number | undefined {
    if (this.#columns.has(key)) return this.#columns.get(key);
    const column = listColumnOfHeader(key);
    if (this.#columns.size < 1000) this.#columns.set(key, column);
    return column;
  }
}

/** Where the elements of an array's inside end. */
const elementEnds = (text: string): number[] => {
  const ends: number[] = [];
  // A string that does not end is the rest of the text: looked for from each of its quotes it would take forever.
  const sign = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[[{]|[\]}]|,/gs;
  let depth = 0;
  for (const { 0: found, index } of text.matchAll(sign)) {
    if (found === ',' && depth === 0) ends.push(index);
    else if (/^[[{]$/.test(found)) depth += 1;
    else if (/^[\]}]$/.test(found)) depth -= 1;
  }
  return [...ends, text.length];
};

/** Empty for what is nested beyond what can be written. */
const writtenOut = (element: unknown): string => {
  try {
    return JSON.stringify(element);
  } catch {
    return '';
  }
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Texts of the columns; or which of them is no text. */
const fieldsOf = (values: readonly unknown[]): string[] | string => {
  const fields: string[] = [];
  for (let column = 0; column < listRecordColumnCount; column += 1) {
    const value = values[column] ?? '';
    if (typeof value !== 'string' && typeof value !== 'number')
      return `${listColumnNames[column]} is not text`;
    const text = String(value).trim();
    if (!text.isWellFormed()) return `${listColumnNames[column]} contains half a character`;
    fields.push(textToUtf8ByteString(text));
  }
  return fields;
};
