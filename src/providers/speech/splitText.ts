/** A text in pieces that are not too long, cut where a speaker would take breath. */

/** Where to cut, the best first: after a sentence, after a comma, between words. */
const breaks = [/[.!?…]\s|\n/g, /[,;:]\s/g, /\s/g];

/** Pieces of at most `maxBytes` (4 or more) of UTF-8 that together are the text, blank ones left out. */
export const splitText = (text: string, maxBytes: number): string[] => {
  const pieces: string[] = [];
  let rest = text;
  while (Buffer.byteLength(rest) > maxBytes) {
    const piece = firstPiece(headOf(rest, maxBytes));
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  const spoken = [...pieces, rest].filter((piece) => piece.trim() !== '');
  return spoken.length > 0 ? spoken : [''];
};

/** As much of the beginning as fits, in whole characters. */
const headOf = (text: string, maxBytes: number): string => {
  let bytes = 0;
  let length = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    length += character.length;
  }
  return text.slice(0, length);
};

/** Up to the last good place to cut; all of it when there is none in its second half. */
const firstPiece = (head: string): string => {
  for (const place of breaks) {
    const last = [...head.matchAll(place)].at(-1);
    const end = last ? last.index + last[0].length : 0;
    if (end > head.length / 2) return head.slice(0, end);
  }
  return head;
};
