/** Telephone numbers in any text, found by how they are written, with their middle digits hidden. Pure. */

/** What stands where a digit was. */
const HIDDEN = '•';

/** Whether a text is a masked number, or holds one. */
export const containsMaskedPhoneNumber = (text: string): boolean => text.includes(HIDDEN);

/** Digits left at the beginning (country and area) and at the end, by how many there are; at least four are hidden. */
const leftOf = (count: number): readonly [number, number] => {
  if (count >= 12) return [4, 4];
  if (count >= 10) return [2, 4];
  return [0, count >= 8 ? 4 : 2];
};

/** `5511•••••4321` of `5511987654321`. What stands between the digits stays. */
export const maskDigits = (number: string): string => {
  const count = number.replaceAll(/\D/g, '').length;
  const [first, last] = leftOf(count);
  let nth = 0;
  return number.replaceAll(/\d/g, (digit) => {
    nth += 1;
    return nth <= first || nth > count - last ? digit : HIDDEN;
  });
};

/** Digits with letters that stand right before or behind them: `tel5511987654321`. `_` parts them: `to_5511987654321_1`. */
const token = /\+?[\p{L}\p{N}]{8,}/gu;
const bareNumber = /^(\+?\p{L}*|\+?2B)(\d{8,14})((?!ms$)\p{L}+)?$/u;
/**
 * Ids of machines have more digits than numbers that people have, and none begins with 0; behind a plus, and after the 00
 * or 011 of a call abroad, all of them are a number's.
 */
const international = /^(?:\+\d{8,15}|0\d{14,17})$/;

/** Of 13 digits that begin with 1: no number has them, and milliseconds since 1970 do. */
const isMoment = (digits: string): boolean => /^1\d{12}$/.test(digits);
/** `20261128`, and with the hour behind it. */
const isDate = (digits: string): boolean =>
  /^20[2-4]\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(([01]\d|2[0-3])[0-5]\d([0-5]\d)?)?$/.test(digits);

const maskToken = (text: string): string => {
  if (international.test(text)) return maskDigits(text);
  const [, before = '', digits = '', behind = ''] = bareNumber.exec(text) ?? [];
  if (digits === '' || isMoment(digits) || isDate(digits)) return text;
  return `${before}${maskDigits(digits)}${behind}`;
};

/** Digits in groups, as people write them. */
const grouped: readonly RegExp[] = [
  // From abroad, in any groups: `+351 912 345 678`.
  /(?<![\p{L}\p{N}])\+\d(?:[ ().-]{0,3}\d){7,14}(?!\d)/gu,
  // A Brazilian mobile number with its area, in any groups: `11 98 765 43 21`, `5 5 1 1 9 8 7 6 5 4 3 2 1`.
  /(?<!\p{N}|\p{N}[.,:/-])(?:5[ -]?5[ ()-]{0,3})?[1-9][ -]?[1-9][ ()/_-]{0,3}9(?:[ _-]{0,3}\d){8}(?!\p{N})/gu,
  // `(11) 3333 - 4444`, `98765 - 4321`.
  /(?<![\p{L}\p{N}_-]|\p{N}[.:/])(?:\(\d{2,4}\) {0,3}\d{4,5}|9\d{4}) {0,3}-{0,2} {0,3}\d{4}(?![\p{L}\p{N}_])/gu,
  // `+55 (11) 98765-4321`, `11 9 8765 4321`, `3333-4321`.
  /(?<![\p{L}\p{N}_-]|\p{N}[.:/])(?:\+?\d{1,3}[ .-]?)?(?:\(\d{2,4}\)[ .-]?|\d{2,3}[ ./-])?(?:9[ .-])?\d{3,5}[ .-]\d{4}(?![\p{L}\p{N}_]|[.:-]\d)/gu,
];

const maskGroups = (text: string): string =>
  text.replaceAll(/\D/g, '').length < 8 ? text : maskDigits(text);

/** What telephones and web pages write for blanks, dashes and digits; and, in addresses, escapes. */
const unusual = /%[\da-f]{2}|[\u00a0\u2000-\u2015\u202a-\u202f\u2060-\u2069\ufeff\u00b7]|(?![0-9])\p{Nd}/giu;

/** The same text with plain blanks, dashes and digits, each letter at its place. */
const plainly = (text: string): string => text.replaceAll(unusual, plainOne);

const escapes: Readonly<Record<string, string>> = { '%2b': '  +', '%2d': ' - ' };

const plainOne = (one: string): string => {
  if (one.startsWith('%')) return escapes[one.toLowerCase()] ?? '   ';
  if (/\p{Nd}/u.test(one)) return one.length === 1 ? digitOf(one) : one;
  return /[\u2010-\u2015\u00b7]/.test(one) ? '-' : ' ';
};

/** Digits of a script stand ten in a row, from its 0 on. */
const digitOf = (one: string): string => {
  const code = one.codePointAt(0)!;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
};

/** WhatsApp writes the number of a person into the ids of messages, in base64. */
const wamid = /\bwamid\.([\w+/-]{24,}={0,2})/g;
const WAMID_END = 12;

const maskWamid = (whole: string, id: string): string =>
  /\d{8}/.test(Buffer.from(id, 'base64').toString('latin1'))
    ? `wamid.${HIDDEN.repeat(4)}${id.slice(-WAMID_END)}`
    : whole;

/** Parts of a text that hold digits and no number. */
const uuid = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;
/** A table of numbers writes them so as well: `5511987654321.0`. */
const decimal = /^-?\d{1,9}[.,]\d{1,10}$/;

/** A text with every telephone number in it masked. Ids, moments, dates, amounts and UUIDs stay. */
export const maskPhones = (text: string): string => {
  if (text.length < 8 || !/\p{Nd}|wamid\./u.test(text) || decimal.test(text)) return text;
  let masked = '';
  let from = 0;
  const known = text.replaceAll(wamid, maskWamid);
  for (const { 0: kept, index } of known.matchAll(uuid)) {
    masked += maskPart(known.slice(from, index)) + kept;
    from = index + kept.length;
  }
  return masked + maskPart(known.slice(from));
};

const maskPart = (text: string): string => {
  const plain = plainly(text);
  let masked = plain.replaceAll(token, maskToken);
  for (const form of grouped) masked = masked.replaceAll(form, maskGroups);
  return plain === text ? masked : hiddenAs(masked, text);
};

/** The text with those letters hidden that are hidden in its plain copy. */
const hiddenAs = (masked: string, text: string): string =>
  masked.replaceAll(/[^•]+/g, (shown, at: number) => text.slice(at, at + shown.length));
