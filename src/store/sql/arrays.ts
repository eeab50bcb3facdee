/**
 * Columns of a batch as one text parameter each. Packed columns are joined by a control character that JSON text and
 * our own words never contain, which needs no quoting on either side and costs a fraction of an array literal.
 */

const SEPARATOR = '\u001f';
const NOTHING = '\u001e';
const CONTROL = /[\u001e\u001f]/g;

/** JSON text and our own words (states, event names); null and '' travel as NULL. */
export const packed = (values: readonly (string | null)[]): string => {
  let out = '';
  for (let at = 0; at < values.length; at++) out += (at ? SEPARATOR : '') + (values[at] || NOTHING);
  return out;
};

/** How a packed parameter is read back, as `text[]`. */
export const unpack = (parameter: number): string => `string_to_array($${parameter}, E'\\x1f', E'\\x1e')`;

/** Text that may say anything in a packed column, without the two characters that mean something there. */
export const packable = (text: string): string => text.replace(CONTROL, ' ');

/** Numbers as an array literal. */
export const numbers = (values: readonly (number | null)[]): string => {
  let out = '{';
  for (let at = 0; at < values.length; at++) out += (at ? ',' : '') + (values[at] ?? 'NULL');
  return out + '}';
};

const QUOTED = /["\\]/g;

/** Texts, numbers and booleans as an array literal. */
export const literals = (values: readonly unknown[]): string => {
  let out = '{';
  for (let at = 0; at < values.length; at++) {
    if (at) out += ',';
    const value = values[at];
    if (value === null || value === undefined) out += 'NULL';
    else if (typeof value === 'string') out += `"${value.replace(QUOTED, '\\$&')}"`;
    else out += JSON.stringify(value);
  }
  return out + '}';
};
