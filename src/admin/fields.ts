/** Kinds of value that admin bodies share. */
import * as z from 'zod';
import { isCidr } from '../lib/addresses.ts';
import { badText } from '../lib/encoding.ts';
import { isZone } from '../lib/localTime.ts';
import { readDate } from '../rules/voice/schedule.ts';

/** Text without what no database takes. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => badText(value) === undefined, 'must not contain NUL or lone surrogates');

export const name = text(120).min(1);

/** A boolean; 1 and 0 are taken too, as the interface writes its flags. */
export const yesNo = z
  .union([z.boolean(), z.literal(0), z.literal(1), z.enum(['0', '1'])], 'must be true or false')
  .transform((value) => value === true || value === 1 || value === '1');

export const timeZone = z.string().refine(isZone, 'must be an IANA time zone, e.g. America/Sao_Paulo');

/** An amount of money, exact to ten-thousandths, as a number or as text. */
export const amount = z
  .union([z.number(), z.string()], 'must be an amount, e.g. 12.5')
  .transform(String)
  .pipe(z.string().regex(/^-?\d{1,10}(\.\d{1,4})?$/, 'must be an amount with at most 4 decimals'));

/** A price: an amount that is not negative. */
export const price = amount.refine((value) => !value.startsWith('-'), 'must not be negative');

export const networks = z.array(z.string().refine(isCidr, 'must be an address or a CIDR')).max(200);

/** A moment: ISO 8601, or epoch milliseconds. */
export const moment = z
  .union([z.number(), z.string()], 'must be a date')
  .transform((value) => (typeof value === 'number' ? value : readIso(value)))
  .pipe(z.number('must be a date in ISO 8601 or epoch milliseconds').int().min(0).max(8.64e15));

/** Not what else `Date.parse` takes: it calls the 30th of February the 2nd of March, and 7 a day in 2001. */
const readIso = (text: string): number => {
  const [, day = ''] = /^(\d{4}-\d{2}-\d{2})(?:[T ]|$)/.exec(text) ?? [];
  return readDate(day) === undefined ? NaN : Date.parse(text);
};

/** A JSON object without text that no database takes. */
export const json = z
  .record(z.string(), z.unknown())
  .refine((value) => !hasBadText(value), 'must not contain NUL or lone surrogates');

const hasBadText = (value: unknown): boolean => {
  if (typeof value === 'string') return badText(value) !== undefined;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, part]) => hasBadText(name) || hasBadText(part));
};
