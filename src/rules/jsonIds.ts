/** JSON whose numbers may be ids too large for a number: those are read as text, digit by digit. */

/** Numbers of so many digits may lie above 2^53. */
const LARGE = /\d{16}/;
/** Strings are passed over whole; in valid JSON every quote that is met outside of one begins one. */
const STRING_OR_LARGE = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;

/** Parses JSON. Throws `SyntaxError` for what is none. */
export const parseWithIds = (text: string): unknown => {
  const plain: unknown = JSON.parse(text);
  if (!LARGE.test(text)) return plain;
  return JSON.parse(text.replace(STRING_OR_LARGE, (found) => (found.startsWith('"') ? found : `"${found}"`)));
};
