/** What a person has typed into a form, and the values it stands for. Pure. */
import { type FormField, type FieldShape } from './formFieldsFromSchema.ts';
import { localDateTimeToEpoch, epochToLocalDateTime } from '../../zone.ts';

/** What is typed: text in single boxes, and the same of parts. */
export type FormInputValue = string | readonly FormInputValue[] | { readonly [name: string]: FormInputValue };

/** Something typed that is no value. `path`: the field, as the API names it. */
export class UnreadableInput extends Error {
  override name = 'UnreadableInput';
  readonly path: string;
  readonly word: 'notJson' | 'notMoment' | 'notNumber' | 'notAmount';

  constructor(path: string, word: UnreadableInput['word']) {
    super(word);
    this.path = path;
    this.word = word;
  }
}

/** A value as it stands in the boxes. `zone`: that moments are written in. */
const draftOf = (shape: FieldShape, value: unknown, zone: string): FormInputValue => {
  if (value === undefined || value === null) return emptyFormInputValue(shape);
  switch (shape.kind) {
    case 'moment':
      return typeof value === 'number' ? epochToLocalDateTime(value, zone) : plainText(value);
    case 'list':
      return Array.isArray(value) ? value.map((one) => draftOf(shape.of, one, zone)) : [];
    case 'map':
      return Object.entries(asObject(value)).map(([name, one]) => ({
        name,
        value: draftOf(shape.of, one, zone),
      }));
    case 'object':
      return draftFromRecord(shape.fields, asObject(value), zone);
    case 'byKind':
    case 'json':
      return JSON.stringify(value, undefined, 2);
    default:
      return plainText(value);
  }
};

/** Drafts of several fields of a record. */
export const draftFromRecord = (
  fields: readonly FormField[],
  record: Readonly<Record<string, unknown>>,
  zone: string,
): Record<string, FormInputValue> =>
  Object.fromEntries(fields.map(({ name, shape }) => [name, draftOf(shape, record[name], zone)]));

export const emptyFormInputValue = (shape: FieldShape): FormInputValue => {
  if (shape.kind === 'list' || shape.kind === 'map') return [];
  if (shape.kind === 'object') return draftFromRecord(shape.fields, {}, 'UTC');
  return '';
};

/** Whether nothing is typed. */
const isEmpty = (draft: FormInputValue | undefined): boolean =>
  draft === undefined ||
  draft === '' ||
  (Array.isArray(draft)
    ? draft.length === 0
    : typeof draft === 'object' && Object.values(draft).every(isEmpty));

/** Whether the same is typed twice; what is empty is alike in any shape. */
const isSameInput = (one: FormInputValue | undefined, other: FormInputValue | undefined): boolean =>
  (isEmpty(one) && isEmpty(other)) || JSON.stringify(one) === JSON.stringify(other);

/** Whether the same stands in all boxes of two drafts. */
export const isSameDraft = (
  one: Readonly<Record<string, FormInputValue>>,
  other: Readonly<Record<string, FormInputValue>>,
): boolean =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) =>
    isSameInput(one[name], other[name]),
  );

/** The value of what is typed; undefined: nothing is. Throws what is `UnreadableInput`. */
const parseFormInput = (shape: FieldShape, draft: FormInputValue, path: string, zone: string): unknown => {
  if (isEmpty(draft)) return undefined;
  if (typeof draft !== 'string') return partsOf(shape, draft, path, zone);
  switch (shape.kind) {
    case 'yesNo':
      return draft === 'true';
    case 'reference':
      return parseFormInput(shape.typed, draft, path, zone);
    case 'number':
      return numberOf(draft, path);
    case 'decimal':
      return amountOf(draft, path);
    case 'moment':
      return momentOf(draft, path, zone);
    case 'json':
    case 'byKind':
      return jsonOf(draft, path);
    default:
      return draft;
  }
};

const partsOf = (
  shape: FieldShape,
  draft: Exclude<FormInputValue, string>,
  path: string,
  zone: string,
): unknown => {
  if (shape.kind === 'object')
    return requestBodyFromDraft(shape.fields, draft as Record<string, FormInputValue>, zone, `${path}.`);
  if (shape.kind === 'list')
    return (draft as readonly FormInputValue[]).map(
      (one, nth) => parseFormInput(shape.of, one, `${path}.${nth}`, zone) ?? emptyValueOf(shape.of),
    );
  const rows = draft as readonly { name: string; value: FormInputValue }[];
  const of = (shape as Extract<FieldShape, { kind: 'map' }>).of;
  return Object.fromEntries(
    rows
      .filter(({ name }) => name !== '')
      .map(({ name, value }) => [
        name,
        parseFormInput(of, value, `${path}.${name}`, zone) ?? emptyValueOf(of),
      ]),
  );
};

const emptyValueOf = (shape: FieldShape): unknown =>
  shape.kind === 'list' ? [] : shape.kind === 'object' || shape.kind === 'map' ? {} : '';

/** What is typed into several fields and cannot be read, the first of each. */
export const unreadableInputs = (
  fields: readonly FormField[],
  draft: Readonly<Record<string, FormInputValue>>,
  zone: string,
): UnreadableInput[] =>
  fields.flatMap((field) => {
    try {
      requestBodyFromDraft([field], draft, zone);
      return [];
    } catch (error) {
      if (error instanceof UnreadableInput) return [error];
      throw error;
    }
  });

/** A body of what is typed into several fields; empty ones are left out. */
export const requestBodyFromDraft = (
  fields: readonly FormField[],
  draft: Readonly<Record<string, FormInputValue>>,
  zone: string,
  before = '',
): Record<string, unknown> => {
  const values = fields.map(({ name, shape }) => [
    name,
    parseFormInput(shape, draft[name] ?? '', before + name, zone),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
};

/** Of a change: only what is typed otherwise than it stood. What was emptied is sent as empty, or as null. */
export const changedFieldsOfDraft = (
  fields: readonly FormField[],
  before: Readonly<Record<string, FormInputValue>>,
  draft: Readonly<Record<string, FormInputValue>>,
  zone: string,
): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter(({ name }) => JSON.stringify(before[name]) !== JSON.stringify(draft[name]))
      .map((field) => [
        field.name,
        parseFormInput(field.shape, draft[field.name]!, field.name, zone) ?? emptied(field),
      ])
      .filter(([, value]) => value !== undefined),
  );

/** What says that there is nothing any more; undefined: a value that cannot be taken away. */
const emptied = ({ shape, isNullable }: FormField): unknown => {
  if (isNullable) return null;
  if (shape.kind === 'text' || shape.kind === 'examples') return '';
  return ['list', 'map', 'object'].includes(shape.kind) ? emptyValueOf(shape) : undefined;
};

const numberOf = (text: string, path: string): number => {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new UnreadableInput(path, 'notNumber');
  return value;
};

/** With a point before the decimals, as the API takes it. */
const amountOf = (text: string, path: string): string => {
  const amount = readAmount(text.trim());
  if (amount === undefined) throw new UnreadableInput(path, 'notAmount');
  return amount;
};

const plainAmount = /^-?\d+(\.\d+)?$/;
const commaAmount = /^-?\d+,\d+$/;
/** One thousand and something, or one and a fraction: by the country of who wrote it. */
const eitherAmount = /^-?[1-9]\d{0,2},\d{3}$/;
const groupedByPoints = /^-?\d{1,3}(\.\d{3})+,\d+$/;
const groupedByCommas = /^-?\d{1,3}(,\d{3})+\.\d+$/;

/** `1.234,50` and `1,234.50` as `1234.50`; undefined: it is no amount, or may be either of two. */
const readAmount = (text: string): string | undefined => {
  if (plainAmount.test(text)) return text;
  if (groupedByCommas.test(text)) return text.replaceAll(',', '');
  if (groupedByPoints.test(text)) return text.replaceAll('.', '').replace(',', '.');
  return commaAmount.test(text) && !eitherAmount.test(text) ? text.replace(',', '.') : undefined;
};

const momentOf = (text: string, path: string, zone: string): number => {
  const at = localDateTimeToEpoch(text, zone);
  if (at === undefined) throw new UnreadableInput(path, 'notMoment');
  return at;
};

const jsonOf = (text: string, path: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UnreadableInput(path, 'notJson');
  }
};

const plainText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
