/**
 * How wide a text will be, without a browser: layouts are made at build time. Widths are those of Helvetica, with room
 * for Inter, which is a little wider.
 */

/** Thousandths of the font's size, by letter; others are as wide as the last entry. */
const WIDTHS: readonly (readonly [string, number])[] = [
  ["ijl|'", 235],
  ['ftrI.,:;()[]-! ', 340],
  ['ckszvxyJ/"*', 525],
  ['mwMW→…↪↳↻', 900],
  ['ABCDEFGHKLNOPQRSTUVXYZ&', 730],
];
const OTHERS = 600;
const BOLD = 1.06;

const widthOf = new Map(
  WIDTHS.flatMap(([letters, width]) => letters.split('').map((letter) => [letter, width])),
);

/** Pixels of a text of a size (pixels); `bold`: of weight 600. */
export const textWidthInPixels = (text: string, size: number, bold = false): number => {
  let thousandths = 0;
  for (const letter of text) thousandths += widthOf.get(letter) ?? OTHERS;
  return Math.ceil((thousandths / 1000) * size * (bold ? BOLD : 1));
};
