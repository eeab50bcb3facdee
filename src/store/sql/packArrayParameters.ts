/**
 * A column of a batch as one parameter. Numbers travel as binary arrays, which neither side has to print or parse.
 * Packed texts are joined by a control character that JSON text and our own words never contain, which needs no
 * quoting on either side and costs a fraction of an array literal.
 */

/** A parameter as the driver takes it: text, or binary. */
export type SqlParameter = string | Buffer;

const SEPARATOR = '\u001f';
const NOTHING = '\u001e';
const CONTROL = /[\u001e\u001f]/g;

/** JSON text and our own words (states, event names); null and '' travel as NULL. */
export const packTextArrayParameter = <Row>(
  rows: readonly Row[],
  of: (row: Row) => string | null,
): string => {
  const words: string[] = [];
  for (const row of rows) words.push(of(row) || NOTHING);
  return words.join(SEPARATOR);
};

/** How a packed parameter is read back, as `text[]`. */
export const unpackTextArrayParameterSql = (parameter: number): string =>
  `string_to_array($${parameter}, E'\\x1f', E'\\x1e')`;

/** Text that may say anything in a packed column, without the two characters that mean something there. */
export const removePackSeparators = (text: string): string => text.replace(CONTROL, ' ');

type NumberOf<Row> = (row: Row) => number | null;

const INT4 = { oid: 23, bytes: 4 };
const INT8 = { oid: 20, bytes: 8 };
/** Dimensions, whether there are nulls, the element's type; then the length and where it begins to count. */
const HEADER_BYTES = 20;
const NULL_LENGTH = -1;
const HALF = 2 ** 32;

/** Numbers as `integer[]`. Throws `RangeError` for what is none. */
export const packIntegerArrayParameter = <Row>(rows: readonly Row[], of: NumberOf<Row>): Buffer =>
  binary(rows, of, INT4);

/** Numbers as `bigint[]`, of what is below 2^53. Throws `RangeError` for what is none. */
export const packBigintArrayParameter = <Row>(rows: readonly Row[], of: NumberOf<Row>): Buffer =>
  binary(rows, of, INT8);

const binary = <Row>(rows: readonly Row[], of: NumberOf<Row>, { oid, bytes }: typeof INT4): Buffer => {
  const array = Buffer.allocUnsafe(HEADER_BYTES + rows.length * (4 + bytes));
  const view = new DataView(array.buffer, array.byteOffset, array.length);
  view.setInt32(0, 1);
  view.setInt32(4, 1);
  view.setInt32(8, oid);
  view.setInt32(12, rows.length);
  view.setInt32(16, 1);
  let at = HEADER_BYTES;
  for (const row of rows) {
    const value = of(row);
    if (value === null || value === undefined) {
      view.setInt32(at, NULL_LENGTH);
      at += 4;
      continue;
    }
    view.setInt32(at, bytes);
    if (bytes === 8) setInt8(view, at + 4, value);
    else setInt4(view, at + 4, value);
    at += 4 + bytes;
  }
  return array.subarray(0, at);
};

const setInt4 = (view: DataView, at: number, value: number): void => {
  if ((value | 0) !== value) throw new RangeError(`${value} is no integer of 32 bits`);
  view.setInt32(at, value);
};

const setInt8 = (view: DataView, at: number, value: number): void => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no integer below 2^53`);
  view.setInt32(at, Math.floor(value / HALF));
  view.setUint32(at + 4, value >>> 0);
};

const QUOTED = /["\\]/g;

/** Texts, numbers and booleans as an array literal. */
export const formatArrayLiteral = <Row>(rows: readonly Row[], of: (row: Row) => unknown): string => {
  const words: string[] = [];
  for (const row of rows) {
    const value = of(row);
    if (value === null || value === undefined) words.push('NULL');
    else if (typeof value === 'string') words.push(`"${value.replace(QUOTED, '\\$&')}"`);
    else words.push(JSON.stringify(value));
  }
  return `{${words.join(',')}}`;
};
