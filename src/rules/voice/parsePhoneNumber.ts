/**
 * What a caller may write as a telephone number, and what is dialled (spec 4.2, 4.12 `setbrasil`; 4.13 `numtype`).
 *
 * Brazil is read by rules of our own: the ninth digit, leading zeros and carrier codes are what people write and
 * no library forgives. The rest of the world is libphonenumber's, and must carry its country code.
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { REGIONS } from './areaCodeTimeZones.ts';
import type { AreaCodeRegion } from './areaCodeTimeZones.ts';

export type ParsedPhoneNumber =
  /** `number` is E.164 without `+`. */
  | ({ kind: 'mobile' | 'fixed'; number: string } & AreaCodeRegion)
  /** 0800, 0300, 300x, 400x, 103…: dialled as it stands. */
  | { kind: 'special'; number: string }
  /** E.164 without `+`. */
  | { kind: 'foreign'; number: string };

export type PhoneNumberReading = ParsedPhoneNumber | { kind: 'refused'; why: string };

/**
 * Reads a number. With `brazil` (`setbrasil=1`, the default) national formats are completed, and foreign numbers
 * need `+` or `00`; without it the text is taken as E.164 and kept digit by digit.
 */
export const readPhoneNumber = (input: string, options: { brazil: boolean }): PhoneNumberReading => {
  const text = input.trim();
  if (!/^\+?[\d\s().\-/]+$/.test(text)) return refused(input, 'is not a telephone number');
  const digits = text.replace(/\D/g, '');
  const read = options.brazil ? readCompleting(text, digits) : readAsIs(digits);
  return read ?? refused(input, options.brazil ? BRAZIL_WANTS : E164_WANTS);
};

/** Where a normalised number lives; undefined for special and foreign ones. */
export const regionOfNumber = (number: string): AreaCodeRegion | undefined =>
  /^55\d{10,11}$/.test(number) ? REGIONS.get(number.slice(2, 4)) : undefined;

/**
 * A stored number as GetCallStatus shows it (spec 4.13): `0DDD` is 0 + area + number, `DDD` area + number,
 * anything else country + area + number. Only Brazilian numbers change.
 */
export const formatPhoneNumber = (number: string, numtype: string): string => {
  if (!regionOfNumber(number)) return number;
  if (numtype === 'DDD') return number.slice(2);
  if (numtype === '0DDD') return `0${number.slice(2)}`;
  return number;
};

const BRAZIL_WANTS = 'is neither area code and number, nor a special number, nor international with + or 00';
const E164_WANTS = 'is not a complete international number (E.164)';

const readCompleting = (text: string, digits: string): ParsedPhoneNumber | undefined => {
  if (text.startsWith('+')) {
    if (!digits.startsWith('55')) return readForeign(digits);
    return readSpecial(digits) ?? readBrazilian(digits.slice(2));
  }
  const home = readSpecial(digits) ?? readBrazilian(digits);
  if (home || !digits.startsWith('00') || hasAreaOfZeros(text, digits)) return home;
  // From Brazil one dials abroad as 00, the carrier's two digits, the country.
  return readForeign(digits.slice(2)) ?? readForeign(digits.slice(4));
};

/**
 * `(00) 98765-0000`, `00987650000`: systems write 00 where they know no area code. Read as 00, country and number this would
 * ring a stranger abroad.
 */
const hasAreaOfZeros = (text: string, digits: string): boolean =>
  /^\(\s*00?\s*\)/.test(text) || /^009[1-9]\d{7}$/.test(digits);

const readAsIs = (digits: string): ParsedPhoneNumber | undefined => {
  const read = regionOfNumber(digits) ? readBrazilian(digits) : (readSpecial(digits) ?? readForeign(digits));
  return read && { ...read, number: digits };
};

const TOLL_FREE = /^(?:0{0,2}55)?0?([3589]00\d{6,7})$/;
const SHORT = /^(?:300|400)\d{4,6}$|^103\d{2,6}$/;

/** Whether a number, as `readPhoneNumber` gives it, is one of Brazil's that have no country: `40041234`, `08001234567`. */
export const isNumberWithoutCountryCode = (number: string): boolean =>
  SHORT.test(number) || number.startsWith('0');

const readSpecial = (digits: string): ParsedPhoneNumber | undefined => {
  if (SHORT.test(digits)) return { kind: 'special', number: digits };
  const tollFree = TOLL_FREE.exec(digits);
  return tollFree ? { kind: 'special', number: `0${tollFree[1]}` } : undefined;
};

/** [country] [0 or 0 and a carrier] area number. A DDD of 55 is told from the country by what is left. */
const BRAZILIAN = /^(?:0{0,2}55)?(?:0(?:[1-9]\d(?=\d{10,11}$))?)?([1-9]\d)(\d{8,9})$/;

/**
 * 0, an area, and a mobile with a digit too many; or 0, a carrier, and an old mobile of the areas 91 to 99, which has
 * had nine digits for years. The two cannot be told apart, so the number is not called.
 */
const TWO_WAYS = /^(?:0{0,2}55)?0(?!55)([1-9]\d)9[1-9][6-9]\d{7}$/;

const readBrazilian = (digits: string): ParsedPhoneNumber | undefined => {
  if (REGIONS.has(TWO_WAYS.exec(digits)?.[1] ?? '')) return undefined;
  const [, ddd = '', written = ''] = BRAZILIAN.exec(digits) ?? [];
  const region = REGIONS.get(ddd);
  if (!region) return undefined;
  // Since 2016 mobiles have nine digits everywhere; people still write eight.
  const local = /^[6-9]\d{7}$/.test(written) ? `9${written}` : written;
  const number = `55${ddd}${local}`;
  if (/^9[1-9]\d{7}$/.test(local)) return { kind: 'mobile', number, ...region };
  if (/^[2-5]\d{7}$/.test(local)) return { kind: 'fixed', number, ...region };
  return undefined;
};

const readForeign = (digits: string): ParsedPhoneNumber | undefined => {
  if (digits.startsWith('0') || digits.startsWith('55')) return undefined;
  return parsePhoneNumberFromString(`+${digits}`)?.isValid()
    ? { kind: 'foreign', number: digits }
    : undefined;
};

const refused = (input: string, why: string): PhoneNumberReading => ({
  kind: 'refused',
  why: `"${input.slice(0, 40)}" ${why}`,
});
