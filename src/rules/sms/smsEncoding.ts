/**
 * How a text travels as SMS: GSM 03.38 where every character has a place in it, else UCS-2; and in how many segments,
 * which is what is paid for.
 */

export type SmsEncoding = 'gsm' | 'ucs2';

export interface SmsSegments {
  encoding: SmsEncoding;
  /** What each segment carries; a text that fits into one message is one, without a header. */
  parts: readonly string[];
}

/** Seven-bit septets, and sixteen-bit units: of a message alone, and of a segment that carries a header. */
const room = { gsm: { alone: 160, segment: 153 }, ucs2: { alone: 70, segment: 67 } } as const;

const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
    '¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Each takes an escape before it: two septets. */
const extension = new Set('\f^{}\\[~]|€');

/** Splits a text as a carrier does; neither an escape nor a surrogate pair is torn apart. An empty text is one segment. */
export const segmentSms = (text: string): SmsSegments => {
  const characters = Array.from(text);
  const encoding = characters.every(isGsm) ? 'gsm' : 'ucs2';
  const sizeOf = encoding === 'gsm' ? septets : units;
  const size = characters.reduce((sum, character) => sum + sizeOf(character), 0);
  const { alone, segment } = room[encoding];
  return { encoding, parts: size <= alone ? [text] : split(characters, sizeOf, segment) };
};

const isGsm = (character: string): boolean => basic.has(character) || extension.has(character);

const septets = (character: string): number => (extension.has(character) ? 2 : 1);

const units = (character: string): number => character.length;

const split = (
  characters: readonly string[],
  sizeOf: (character: string) => number,
  most: number,
): string[] => {
  const parts = [''];
  let used = 0;
  for (const character of characters) {
    const size = sizeOf(character);
    if (used + size > most) {
      parts.push('');
      used = 0;
    }
    parts[parts.length - 1] += character;
    used += size;
  }
  return parts;
};
