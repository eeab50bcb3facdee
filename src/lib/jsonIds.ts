/** JSON whose numbers may be ids too large for a number: those are read as text, digit by digit. */

/** Numbers of so many digits may lie above 2^53. */
const LARGE = /\d{16}/;
/** Strings are passed over whole; in valid JSON every quote that is met outside of one begins one. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const LARGE_INTEGER = /^-?\d{16,}$/;

/** Parses JSON, with the reviver of `JSON.parse`. Throws `SyntaxError` for what is none. */
export const parseJsonKeepingLargeIds = (
  text: string,
  revive?: (key: string, value: unknown) => unknown,
): unknown => {
  const plain: unknown = JSON.parse(text, revive);
  if (!LARGE.test(text)) return plain;
  const quoted = text.replace(STRING_OR_NUMBER, (found) =>
    LARGE_INTEGER.test(found) ? `"${found}"` : found,
  );
  return JSON.parse(quoted, revive);
};
