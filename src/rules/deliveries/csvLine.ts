/** Writing CSV as spreadsheets read it (RFC 4180; decisions/0015). */

/** What some programs need at the beginning of a file to see that it is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

export type Delimiter = ',' | ';' | '\t';

/** One line with its line end. Numbers stand as they are; texts are made harmless and quoted where needed. */
export const csvLine = (fields: readonly (string | number)[], delimiter: Delimiter): string =>
  `${fields.map((field) => quoted(typeof field === 'number' ? String(field) : harmless(field), delimiter)).join(delimiter)}\r\n`;

/** A text that a spreadsheet would take for a formula is given an apostrophe: it is shown, and not run. */
const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const quoted = (text: string, delimiter: Delimiter): string =>
  /["\r\n]/.test(text) || text.includes(delimiter) || /^\s|\s$/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
