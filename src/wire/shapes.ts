/** Kinds of text that several records have, as schemas. */
import * as z from 'zod';

/** YYYY-MM-DD. */
export const day = (says: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .describe(says);

/** HH:MM:SS, or the text `null`. */
export const clockOrNull = (says: string) =>
  z
    .string()
    .regex(/^(\d{2}:\d{2}:\d{2}|null)$/)
    .describe(says);

/** Digits. */
export const digits = (says: string) => z.string().regex(/^\d+$/).describe(says);

/** A decimal number with a comma and three decimals, `0,120`. */
export const amount = (says: string) =>
  z
    .string()
    .regex(/^\d+,\d{3}$/)
    .describe(says);

/** A whole number, 0 or more. */
export const count = (says: string) => z.int().min(0).describe(says);
