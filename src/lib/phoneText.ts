/** Telephone numbers in any text, found by how they are written, with their middle digits hidden. Pure. */

/** What stands where a digit was. */
const HIDDEN = '•';

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

/** Digits with what is written to them: letters before (`tel5511987654321`), `_` and more behind. */
const token = /\+?[\p{L}\p{N}_]{8,}/gu;
const bareNumber = /^(\+?\p{L}{0,8}_?|\+?2B)(\d{8,14})(_\w*)?$/u;
/** Ids of machines have more digits than numbers that people have; behind a plus all of them are a number's. */
const withPlus = /^\+\d{8,15}$/;

/** Of 13 digits that begin with 1: no number has them, and milliseconds since 1970 do. */
const isMoment = (digits: string): boolean => /^1\d{12}$/.test(digits);
/** `20261128`, and with the hour behind it. */
const isDate = (digits: string): boolean =>
  /^20[2-4]\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(([01]\d|2[0-3])[0-5]\d([0-5]\d)?)?$/.test(digits);

const maskToken = (text: string): string => {
  if (withPlus.test(text)) return maskDigits(text);
  const [, before = '', digits = '', behind = ''] = bareNumber.exec(text) ?? [];
  if (digits === '' || isMoment(digits) || isDate(digits)) return text;
  return `${before}${maskDigits(digits)}${behind}`;
};

/** As people write them: `+55 (11) 98765-4321`, `11 9 8765 4321`, `3333-4321`. */
const written =
  /(?<![\p{L}\p{N}_.:/-])(?:\+?\d{1,3}[ .-]?)?(?:\(\d{2,4}\)[ .-]?|\d{2,3}[ .-])?(?:9[ .-])?\d{3,5}[ .-]\d{4}(?![\p{L}\p{N}_]|[.:-]\d)/gu;

const maskWritten = (text: string): string =>
  text.replaceAll(/\D/g, '').length < 8 ? text : maskDigits(text);

/** WhatsApp writes the number of a person into the ids of messages, in base64. */
const wamid = /\bwamid\.([\w+/-]{24,}={0,2})/g;
const WAMID_END = 12;

const maskWamid = (whole: string, id: string): string =>
  /\d{8}/.test(Buffer.from(id, 'base64').toString('latin1'))
    ? `wamid.${HIDDEN.repeat(4)}${id.slice(-WAMID_END)}`
    : whole;

/** Parts of a text that hold digits and no number. */
const uuid = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;
const decimal = /^-?\d+[.,]\d{1,10}$/;

/** A text with every telephone number in it masked. Ids, moments, dates, amounts and UUIDs stay. */
export const maskPhones = (text: string): string => {
  if (!/\d{3}|wamid\./.test(text) || decimal.test(text)) return text;
  let masked = '';
  let from = 0;
  const known = text.replaceAll(wamid, maskWamid);
  for (const { 0: kept, index } of known.matchAll(uuid)) {
    masked += maskPart(known.slice(from, index)) + kept;
    from = index + kept.length;
  }
  return masked + maskPart(known.slice(from));
};

const maskPart = (text: string): string => text.replaceAll(token, maskToken).replaceAll(written, maskWritten);
