/** Kinds of value that paths, queries, bodies and answers of the admin API share. */
import * as z from 'zod';
import { isIpAddressOrCidr } from '../lib/ipAddressRanges.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { findUnstorableCharacter } from '../lib/clientTextEncoding.ts';
import { toJsonSchema } from '../operations/jsonSchema.ts';
import { isTimeZone } from '../lib/localTime.ts';
import { redactedPlaceholder } from '../lib/redactSecretFields.ts';
import { parseCallingWindows } from '../rules/voice/callingWindows.ts';
import { readDate } from '../rules/voice/parseCallSchedule.ts';
import { sqlNullForJsonColumn } from '../store/controlDatabase.ts';
import { notFound, parsePathId } from './adminErrorsAndRequestParsing.ts';

/** Text without what no database takes. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine(
      (value) => findUnstorableCharacter(value) === undefined,
      'must not contain NUL or lone surrogates',
    );

export const name = text(120).min(1);

/** A boolean; 1 and 0 are taken too, as the interface writes its flags. */
export const booleanFieldSchema = z
  .union([z.boolean(), z.literal(0), z.literal(1), z.enum(['0', '1'])], 'must be true or false')
  .transform((value) => value === true || value === 1 || value === '1');

export const timeZoneFieldSchema = z
  .string()
  .refine(isTimeZone, 'must be an IANA time zone, e.g. America/Sao_Paulo');

/** An amount of money, exact to ten-thousandths, as a number or as text. */
export const moneyAmountFieldSchema = z
  .union([z.number(), z.string()], 'must be an amount, e.g. 12.5')
  .transform(String)
  .pipe(z.string().regex(/^-?\d{1,10}(\.\d{1,4})?$/, 'must be an amount with at most 4 decimals'))
  .meta({ format: 'decimal' });

/** A price: an amount that is not negative. */
export const priceFieldSchema = moneyAmountFieldSchema.refine(
  (value) => !value.startsWith('-'),
  'must not be negative',
);

export const networkListFieldSchema = z
  .array(z.string().refine(isIpAddressOrCidr, 'must be an address or a CIDR'))
  .max(200);

/** A moment: ISO 8601, or epoch milliseconds. */
export const dateTimeFieldSchema = z
  .union([z.number(), z.string()], 'must be a date')
  .transform((value) => (typeof value === 'number' ? value : readIso(value)))
  .pipe(z.number('must be a date in ISO 8601 or epoch milliseconds').int().min(0).max(8.64e15))
  .meta({ format: 'moment' });

/** A moment in a query, where numbers are digits. */
export const queryMoment = z
  .string()
  .transform((written) => (/^\d{9,15}$/.test(written) ? Number(written) : written))
  .pipe(dateTimeFieldSchema)
  .meta({ format: 'moment' });

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
  if (typeof value === 'string') return findUnstorableCharacter(value) !== undefined;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, part]) => hasBadText(name) || hasBadText(part));
};

/** Calling windows that can be read, or null. */
export const callingWindowsFieldSchema = z.unknown().transform((value, context) => {
  if (value === null) return sqlNullForJsonColumn;
  try {
    parseCallingWindows(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
  return value as Prisma.InputJsonValue;
});

/** Ids of records fit 31 bits. */
export const maxRecordId = 2 ** 31 - 1;

const idJson = { type: 'integer', minimum: 0 };

/** An id in a path. Throws a 404: what has no such id does not exist. `what`: e.g. `group`. */
export const idIn = (what: string, most = maxRecordId) =>
  z
    .string()
    .transform((written) => {
      const id = parsePathId(written, what);
      if (id > most) throw notFound(`${what} ${written}`);
      return id;
    })
    .meta({ json: idJson, description: `Id of the ${what}.` });

/** An id in a path that the handler looks up as it is written. */
export const pathIdField = z.string().meta({ json: idJson, description: 'Its id.' });

/** A parameter of a query that counts when it says something; an empty one is as if it were absent. */
export const optionalQueryField = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional()).optional();

/** A parameter of a query that may say several things: with commas between them, or by standing there again. */
export const listQueryField = z
  .union([z.string(), z.array(z.string())])
  .transform((written) => {
    const parts = [written].flat().flatMap((one) => one.split(','));
    const said = [...new Set(parts.map((part) => part.trim()))].filter((part) => part !== '');
    return said.length === 0 ? undefined : said;
  })
  .meta({ json: { type: 'string' } })
  .optional();

/** A parameter of a query that is never refused: what cannot be read is as if it were absent. */
export const neverRefusedQueryField = z
  .unknown()
  .optional()
  .meta({ json: { type: 'string' } });

/** Which records a field names one of: where they are listed, by which of their values, and which of them only. */
interface NamedRecords {
  /** `/accounts/{account}/lines`: parameters are those of the path of the field's own route. */
  list: string;
  value: string;
  only?: Readonly<Record<string, string>>;
}

/** Under this name forms read it in the JSON schema of the field. */
const refersTo = (records: NamedRecords) => ({ 'x-refers-to': records });

/** A field that names a record of another kind: forms offer those that there are. */
export const referenceTo = <Schema extends z.ZodType>(records: NamedRecords, schema: Schema): Schema =>
  schema.meta({ ...schema.meta(), ...refersTo(records) });

/** Accounts, by their ids. */
export const accountRecords: NamedRecords = { list: '/accounts', value: 'cdcs_id' };

/** An account in a query. */
export const accountIdField = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a number')
  .transform(Number)
  .meta({ json: { ...idJson, ...refersTo(accountRecords) } });

/** Where a page begins: the cursor of the page before. Throws a 404 for what no page answered. */
export const idCursorField = (what = 'cursor', most = Number.MAX_SAFE_INTEGER) =>
  z.coerce
    .string()
    .transform((written) => {
      const id = parsePathId(written, what);
      if (id > most) throw notFound(`${what} ${written}`);
      return id;
    })
    .meta({ json: { type: 'string', pattern: '^[0-9]{1,16}$' } })
    .optional()
    .describe('Of the page before, as it was answered; absent: the first page.');

/** What stands beside a page of records. */
export const nextPageFieldsSchema = z.object({
  cursor: z
    .string()
    .nullable()
    .describe('Of the next page, as `?cursor=` takes it; null: this was the last.'),
});

/** The query of a list that comes in pages by id. */
export const byId = (what?: string, most?: number) => z.object({ cursor: idCursorField(what, most) });

/** A page out of one row more than fits it, and the id from which the next one goes on. */
export const pageWithCursor = <Row extends { id: number }>(
  found: readonly Row[],
  size: number,
): { rows: readonly Row[]; cursor: string | null } => {
  const rows = found.slice(0, size);
  return { rows, cursor: found.length > size ? String(rows.at(-1)!.id) : null };
};

/** A moment in an answer, epoch milliseconds. */
export const at = z.int().meta({ format: 'epoch-milliseconds', description: 'Epoch milliseconds.' });

/** A value that role operator is shown as `[secret]`. */
export const redactableFieldSchema = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([schema, z.literal(redactedPlaceholder)]);

/** A credential of a body: it goes in and never comes out. */
export const writeOnly = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.meta({ writeOnly: true });

/** A schema that is read elsewhere, by the `kind` of the record, under the description of those of all kinds. */
export const describeSchemaByRecordKind = <Schema extends z.ZodType>(
  schema: Schema,
  kinds: Readonly<Record<string, z.ZodType | undefined>>,
): Schema => {
  const known = Object.entries(kinds).flatMap(([title, of]) => (of ? [{ title, ...toJsonSchema(of) }] : []));
  return schema.meta({ json: { anyOf: known } });
};

/** A JSON object of an answer, as it is kept. */
export const anyObject = z.record(z.string(), z.unknown());

/**
 * A schema that takes more than it says, under the description of another one: of what a preprocessing step reads, JSON
 * Schema knows nothing.
 */
export const documentSchemaLike = <Plain extends z.ZodType, Out>(
  plain: Plain,
  schema: z.ZodType<Out>,
): z.ZodType<Out, z.input<Plain>> =>
  schema.meta({ json: toJsonSchema(plain) }) as z.ZodType<Out, z.input<Plain>>;
