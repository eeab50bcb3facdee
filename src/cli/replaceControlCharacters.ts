/**
 * Text of others as a terminal may show it: names and reasons come from customers, and a control character in one of
 * them could move the cursor, rename the window, or turn the line around.
 */

/** C0, DEL and C1, the line ends of Unicode, and what turns the direction of writing. */
const controls = /[\u0000-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/** A part of a line, before it is painted. */
export const replaceControlCharacters = (text: string): string => text.replaceAll(controls, ' ');

/** Whole lines, painted or not: colours and line ends stay. */
export const replaceControlsInLines = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- what paints is let through
  text
    .split(/(\u001B\[[\d;]*m|\n)/)
    .map((part, index) => (index % 2 === 1 ? part : replaceControlCharacters(part)))
    .join('');

/** JSON that says the same without a control character: within it they stand in texts only. */
export const escapeControlsInJson = (json: string): string =>
  json.replaceAll(controls, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
