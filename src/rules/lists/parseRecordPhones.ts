/** The numbers of a list's record, read at the speed of half a million of them. */
import { REGIONS } from '../voice/areaCodeTimeZones.ts';
import { readPhoneNumber, regionOfNumber } from '../voice/parsePhoneNumber.ts';

export interface ListRecordPhones {
  /** As they are dialled, in the order given, separated by a space. */
  numbers: string;
  /** State of the first number's area code; empty without one. */
  region: string;
  /** Area code of the first number; 0 without one. */
  area: number;
  mobile: boolean;
}

/** More numbers than this are left out of a record. */
const maxNumbers = 10;

/**
 * What a phone field says: one number, however it is written; or, when it cannot be read as one, all numbers in it
 * that can, separated by `;` `,` `|` or white space. Undefined: none.
 */
export const readListRecordPhones = (text: string): ListRecordPhones | undefined =>
  readPlain(text) ?? readOne(text) ?? readSeveral(text);

const states: readonly (string | undefined)[] = Array.from(
  { length: 100 },
  (_, ddd) => REGIONS.get(String(ddd))?.state,
);

/**
 * Brazilian numbers written as nothing but digits, with or without the country: what nearly all lists hold. The same
 * as `readPhoneNumber` with `brazil`, which is asked for everything else.
 */
const readPlain = (text: string): ListRecordPhones | undefined => {
  const { length } = text;
  const hasCountry = length >= 12;
  if (length < 10 || length > 13 || (hasCountry && !text.startsWith('55'))) return undefined;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x30 || code > 0x39) return undefined;
  }
  const start = hasCountry ? 2 : 0;
  const area = (text.charCodeAt(start) - 0x30) * 10 + text.charCodeAt(start + 1) - 0x30;
  const region = states[area];
  if (region === undefined) return undefined;
  const first = text.charCodeAt(start + 2) - 0x30;
  const prefix = hasCountry ? '' : '55';
  if (length - start === 11) {
    const isMobile = first === 9 && text.charCodeAt(start + 3) !== 0x30;
    return isMobile ? { numbers: prefix + text, region, area, mobile: true } : undefined;
  }
  if (first < 2) return undefined;
  if (first <= 5) return { numbers: prefix + text, region, area, mobile: false };
  const numbers = `55${text.slice(start, start + 2)}9${text.slice(start + 2)}`;
  return { numbers, region, area, mobile: true };
};

const readOne = (text: string): ListRecordPhones | undefined => {
  const read = readPhoneNumber(text, { brazil: true });
  return read.kind === 'refused' ? undefined : phonesOf([read.number], read.kind === 'mobile');
};

const readSeveral = (text: string): ListRecordPhones | undefined => {
  const read = text
    .split(/[;,|\s]+/)
    .map((one) => readPhoneNumber(one, { brazil: true }))
    .filter((one) => one.kind !== 'refused');
  if (read.length === 0) return undefined;
  const numbers = [...new Set(read.map(({ number }) => number))].slice(0, maxNumbers);
  return phonesOf(numbers, read[0]!.kind === 'mobile');
};

const phonesOf = (numbers: readonly string[], mobile: boolean): ListRecordPhones => {
  const region = regionOfNumber(numbers[0]!);
  return {
    numbers: numbers.join(' '),
    region: region?.state ?? '',
    area: Number(region?.ddd ?? 0),
    mobile,
  };
};
