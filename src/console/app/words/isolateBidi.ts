/**
 * Text from outside within a sentence of ours: its direction ends with it. A name with U+202E in it would turn our own words
 * and figures around, and one with a U+2069 too many would end the isolation that an element gives. Pure.
 */

const firstStrong = '\u2068';
const end = '\u2069';
const beginnings = new Set(['\u2066', '\u2067', firstStrong]);

/** Letters that are written from the right, and signs that change directions. Other text needs nothing. */
const turns =
  /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]|[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** The text between U+2068 and U+2069 where it may turn what stands beside it, else as it is. */
export const isolateBidi = (text: string): string => {
  if (!turns.test(text)) return text;
  let depth = 0;
  let kept = '';
  for (const sign of text) {
    if (beginnings.has(sign)) depth += 1;
    if (sign === end) {
      if (depth === 0) continue;
      depth -= 1;
    }
    kept += sign;
  }
  return `${firstStrong}${kept}${end.repeat(depth + 1)}`;
};
