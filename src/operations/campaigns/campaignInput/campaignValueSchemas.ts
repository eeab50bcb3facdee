/** Kinds of value that only campaigns have. Every message completes "<parameter> …". */
import * as z from 'zod';
import { readDate } from '../../../rules/voice/parseCallSchedule.ts';
import { text } from '../../parameterValueSchemas.ts';

/** `audio64`: 20 MB of sound in base64, characters. */
export const maxAudioBase64Characters = 28_000_000;

/** Calls a minute: a whole number within bounds, or `max`. */
export const callsPerMinuteSchema = (min: number, max: number) => {
  const error = `must be max or a whole number, ${min} to ${max}`;
  return z
    .union([z.string(), z.number()], { error })
    .transform((value, context) => {
      const word = String(value).trim().toLowerCase();
      if (word === 'max') return 'max' as const;
      if (/^\d{1,9}$/.test(word) && Number(word) >= min && Number(word) <= max) return Number(word);
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({
      json: {
        anyOf: [
          { type: 'integer', minimum: min, maximum: max },
          { type: 'string', pattern: '^(max|[0-9]+)$' },
        ],
      },
    });
};

/** A whole number within bounds, or the text `null`, which takes the limit away. */
export const wholeNumberOrNullSchema = (min: number, max: number) => {
  const error = `must be a whole number, ${min} to ${max}, or the text null`;
  return z
    .union([z.string(), z.number()], { error })
    .transform((value, context) => {
      const word = String(value).trim().toLowerCase();
      if (word === 'null') return null;
      if (/^\d{1,9}$/.test(word) && Number(word) >= min && Number(word) <= max) return Number(word);
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({
      json: {
        anyOf: [
          { type: 'integer', minimum: min, maximum: max },
          { type: 'string', enum: ['null'] },
        ],
      },
    });
};

/** A day that exists, `YYYY-MM-DD`. */
export const date = () => {
  const error = 'must be a date, YYYY-MM-DD';
  return text(40)
    .transform((value) => value.trim())
    .pipe(z.string().refine((value) => readDate(value) !== undefined, { error }))
    .meta({ json: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' } });
};

/** A time of day, `HH:MM:SS`; `HH:MM` means its first second. */
export const time = () => {
  const error = 'must be a time of day, HH:MM:SS';
  return text(40)
    .transform((value) => value.trim())
    .pipe(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, { error }))
    .transform((value) => (value.length === 5 ? `${value}:00` : value))
    .meta({ json: { type: 'string', pattern: '^[0-9]{2}:[0-9]{2}(:[0-9]{2})?$' } });
};
