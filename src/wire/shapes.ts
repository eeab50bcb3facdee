/** Kinds of text that several records have, as schemas. */
import * as z from 'zod';

/** YYYY-MM-DD. */
export const day = (description: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .describe(description);

/** HH:MM:SS, or the text `null`. */
export const clockOrNullSchema = (description: string) =>
  z
    .string()
    .regex(/^(\d{2}:\d{2}:\d{2}|null)$/)
    .describe(description);

/** Digits. */
export const decimalDigitsSchema = (description: string) => z.string().regex(/^\d+$/).describe(description);

/** A decimal number with a comma and three decimals, `0,120`. */
export const threeDecimalsCommaTextSchema = (description: string) =>
  z
    .string()
    .regex(/^\d+,\d{3}$/)
    .describe(description);

/** A whole number, 0 or more. */
export const countSchema = (description: string) => z.int().min(0).describe(description);
