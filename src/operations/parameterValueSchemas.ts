/**
 * The kinds of value a parameter may have. JSON numbers and form strings mean the same; nothing is guessed beyond
 * that: `''` and `null` were already taken for "not given", and `true` is no number.
 * Every message completes "<parameter> …".
 */
import * as z from 'zod';
import { readEventList, findEventListFault } from '../rules/deliveries/callbackEvents.ts';
import { findUnstorableCharacter } from '../lib/clientTextEncoding.ts';
import { sortedJson, withSortedKeys } from '../lib/sortedKeys.ts';

/** A whole number within bounds. */
export const int = (min: number, max: number, also: readonly number[] = []) => {
  const range = `${min} to ${max}`;
  const error = `must be a whole number, ${also.length > 0 ? `${also.join(', ')} or ` : ''}${range}`;
  return z
    .union([z.number(), z.string().regex(/^\s*-?\d{1,16}\s*$/, { error })], { error })
    .transform(Number)
    .pipe(z.int({ error }).refine((n) => (n >= min && n <= max) || also.includes(n), { error }))
    .meta({ json: wholeNumber(min, max, also) });
};

/**
 * The id of something that may be there: any whole number. What can be no id (0, -1, beyond `max`) is read as 0, which
 * nothing has, so that it is refused like every other id of nothing.
 */
export const looseIdSchema = (max: number) => {
  const error = 'must be a whole number';
  return z
    .union([z.number().refine(Number.isInteger, { error }), z.string().regex(/^\s*-?\d+\s*$/, { error })], {
      error,
    })
    .transform(Number)
    .transform((id) => (id >= 1 && id <= max ? id : 0))
    .meta({ json: wholeNumber(1, max, []) });
};

/** What is just below the range widens it; others stand beside it. */
/** A count that may be as large as the caller likes; what no number holds exactly is the largest that one does. */
export const countWithoutCeilingSchema = () => {
  const error = 'must be a whole number, 1 or more';
  return z
    .union([z.number(), z.string().regex(/^\s*\d{1,300}\s*$/, { error })], { error })
    .transform(Number)
    .pipe(z.number({ error }).refine((n) => Number.isInteger(n) && n >= 1, { error }))
    .transform((n) => Math.min(n, Number.MAX_SAFE_INTEGER))
    .meta({ json: { type: 'integer', minimum: 1 } });
};

const wholeNumber = (min: number, max: number, also: readonly number[]): object => {
  if (also.includes(min - 1)) return wholeNumber(min - 1, max, also);
  const range = { type: 'integer', minimum: min, maximum: max };
  const apart = also.filter((n) => n < min);
  return apart.length === 0 ? range : { anyOf: [{ type: 'integer', enum: apart }, range] };
};

/** A number within bounds, with a point or a comma. */
export const decimalSchema = (min: number, max: number) => {
  const error = `must be a number, ${min} to ${max}`;
  return z
    .union([z.number(), z.string().regex(/^\s*-?\d{1,9}([.,]\d{1,9})?\s*$/, { error })], { error })
    .transform((value) => Number(String(value).replace(',', '.')))
    .pipe(z.number().min(min, { error }).max(max, { error }))
    .meta({ json: { type: 'number', minimum: min, maximum: max } });
};

/** 1 or 0. */
export const flag = () => {
  const error = 'must be 0 or 1';
  return z
    .union([z.number(), z.string()], { error })
    .transform((value) => String(value).trim())
    .pipe(z.enum(['0', '1'], { error }))
    .transform((value) => value === '1')
    .meta({ json: { type: 'integer', enum: [0, 1] } });
};

/** `true` or `false`, as a word too; 1 and 0 are taken for them. */
export const trueOrFalseSchema = () =>
  z
    .union([z.boolean(), z.literal(0), z.literal(1), z.string()], { error: 'must be true or false' })
    .transform((value) => String(value).trim().toLowerCase())
    .pipe(z.enum(['true', 'false', '1', '0'], { error: 'must be true or false' }))
    .transform((word) => word === 'true' || word === '1')
    .meta({ json: { type: 'string', enum: ['true', 'false'] } });

/** 1 or yes, 0 or no, in any case; a boolean is taken for them. */
export const yesOrNoParamSchema = () => {
  const error = 'must be 1, yes, 0 or no';
  return z
    .union([z.boolean(), z.number(), z.string()], { error })
    .transform((value) => String(value).trim().toLowerCase())
    .pipe(z.enum(['1', 'yes', 'true', '0', 'no', 'false'], { error }))
    .transform((word) => ['1', 'yes', 'true'].includes(word))
    .meta({ json: { type: 'string', enum: ['1', 'yes', '0', 'no'] } });
};

/** A JSON object, or its text, as text with its keys in order; what reads it knows what it should hold. */
export const sortedJsonTextSchema = () => {
  const error = 'must be a JSON object';
  return z
    .union([z.string(), z.record(z.string(), z.unknown())], { error })
    .transform((value, context) => {
      try {
        return typeof value === 'string' ? sortedJson(value) : JSON.stringify(withSortedKeys(value));
      } catch {
        // Nested beyond what can be written.
        context.addIssue({ code: 'custom', message: error });
        return z.NEVER;
      }
    })
    .meta({ json: { type: 'object' } });
};

/** Text of at most `max` characters; a JSON number is taken as its digits. */
export const text = (max: number) =>
  z
    .union([z.string(), z.number().refine(Number.isSafeInteger, { error: 'must be text' })], {
      error: 'must be text',
    })
    .transform(String)
    .pipe(
      z
        .string()
        .max(max, { error: `must be at most ${max} character${max === 1 ? '' : 's'}` })
        .refine((value) => findUnstorableCharacter(value) === undefined, {
          error: 'must not contain NUL or lone surrogates',
        }),
    )
    .meta({ json: { type: 'string', maxLength: max } });

/** Text of a certain shape; `wish` completes "must be …". */
export const textMatchingRegexSchema = (max: number, pattern: RegExp, wish: string) =>
  z
    .preprocess((value) => (typeof value === 'string' ? value.trim() : value), text(max))
    .pipe(z.string().regex(pattern, { error: `must be ${wish}` }))
    .meta({ json: { type: 'string', maxLength: max, pattern: pattern.source } });

/** Text that a rule reads; `refuse` answers what completes "<parameter> …", or undefined. */
export const checkedTextSchema = (max: number, refuse: (value: string) => string | undefined) =>
  text(max).superRefine((value, context) => {
    const message = refuse(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** One of a few words, in any case. Numbers are taken as their digits. */
export const wordChoiceSchema = <const Word extends string>(words: readonly [Word, ...Word[]]) => {
  const error = `must be one of ${words.join(', ')}`;
  return z
    .union([z.string(), z.number()], { error })
    .transform((value, context) => {
      const word = words.find((known) => known.toLowerCase() === String(value).trim().toLowerCase());
      if (word !== undefined) return word;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({ json: { type: 'string', enum: [...words] } });
};

/** Names of events parted by commas, or `all`; as text, each once. */
export const eventListSchema = (known: readonly string[]) =>
  text(400)
    .transform((value, context) => {
      const why = findEventListFault(value, known);
      if (why === undefined) return readEventList(value).join(',');
      context.addIssue({ code: 'custom', message: why });
      return z.NEVER;
    })
    .meta({ json: { type: 'string', maxLength: 400 } });
