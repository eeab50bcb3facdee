/** Fields of forms, out of the schemas of request bodies: what a person types, and in which kind of box. Pure. */

/** A JSON schema as `/admin/openapi.json` writes it, as far as forms read it. */
export interface JsonSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  format?: string;
  default?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  writeOnly?: boolean;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxLength?: number;
  'x-refers-to'?: NamedRecords;
  /** Another name of this property. */
  'x-alias-of'?: string;
  /** It is JSON text with examples of the gaps of other fields: by its parts, which field. */
  'x-examples-of'?: Readonly<Record<string, string>>;
}

/** Records that a field names one of. */
export interface NamedRecords {
  /** Where they are listed: `/accounts/{account}/lines`. */
  list: string;
  /** By which of their values they are named. */
  value: string;
  /** Only those that hold these values. */
  only?: Readonly<Record<string, string>>;
}

/** What a value is. */
export type FieldShape =
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'yesNo' }
  | { kind: 'number'; isWhole: boolean; least: number | undefined; most: number | undefined }
  /** An amount: text, exact. */
  | { kind: 'decimal' }
  | { kind: 'moment' }
  | { kind: 'text'; isLong: boolean; longest: number | undefined }
  /** A record of another kind, and what its name is where the records cannot be listed. */
  | { kind: 'reference'; records: NamedRecords; typed: FieldShape }
  | { kind: 'object'; fields: readonly FormField[] }
  /** Names, each with a value. */
  | { kind: 'map'; names: readonly string[]; of: FieldShape }
  | { kind: 'list'; of: FieldShape }
  /** One of several objects: by the `kind` of the record. */
  | { kind: 'byKind'; kinds: Readonly<Record<string, FieldShape>> }
  /** JSON text with an example for each gap of other fields. */
  | { kind: 'examples'; of: Readonly<Record<string, string>> }
  | { kind: 'json' };

export interface FormField {
  name: string;
  shape: FieldShape;
  isRequired: boolean;
  /** Null may be given: what there is, is taken away. */
  isNullable: boolean;
  /** It goes in and never comes out. */
  isSecret: boolean;
  description: string;
  /** What counts where nothing is given; undefined: the declaration does not say. */
  usual: unknown;
}

/** Numbers of JSON go so far; a bound there says nothing. */
const noBound = Number.MAX_SAFE_INTEGER;
/** Longer texts get a box of several lines, unless they are addresses. */
const lineLength = 300;
const addresses = /(^|_)(url|uri|target|path|name)$/;

/** The fields of an object, each once: by one of its names. */
export const formFieldsFromSchema = ({ properties = {}, required = [] }: JsonSchema): FormField[] =>
  Object.entries(properties)
    .filter(([, schema]) => schema['x-alias-of'] === undefined)
    .map(([name, schema]) => fieldOf(name, schema, required.includes(name)));

const fieldOf = (name: string, schema: JsonSchema, isRequired: boolean): FormField => {
  const { plain, isNullable } = schemaWithoutNull(schema);
  return {
    name,
    shape: onOneLine(name, fieldShapeFromSchema(plain)),
    isRequired: isRequired && schema.default === undefined,
    isNullable,
    isSecret: plain.writeOnly === true || schema.writeOnly === true || name === 'secret',
    description: schema.description ?? plain.description ?? '',
    usual: schema.default,
  };
};

const onOneLine = (name: string, shape: FieldShape): FieldShape =>
  shape.kind === 'text' && addresses.test(name) ? { ...shape, isLong: false } : shape;

/** Fields of a record of a kind: what depends on it becomes what it is for that kind, or goes. */
export const formFieldsOfKind = (fields: readonly FormField[], kind: string): FormField[] =>
  fields.flatMap((field) => {
    if (field.shape.kind !== 'byKind') return [field];
    const shape = field.shape.kinds[kind];
    return shape ? [{ ...field, shape }] : [];
  });

/** A schema without its null, which says that nothing may be given. */
export const schemaWithoutNull = (schema: JsonSchema): { plain: JsonSchema; isNullable: boolean } => {
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    const types = schema.type.filter((type) => type !== 'null');
    return { plain: { ...schema, type: types.length === 1 ? types[0]! : types }, isNullable: true };
  }
  const ways = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (!ways || ways.length === schema.anyOf!.length) return { plain: schema, isNullable: false };
  const { anyOf: _, ...rest } = schema;
  return { plain: ways.length === 1 ? { ...ways[0], ...rest } : { ...rest, anyOf: ways }, isNullable: true };
};

/** What a schema says a value is; what it does not say is JSON. */
export const fieldShapeFromSchema = (schema: JsonSchema): FieldShape => {
  const { 'x-refers-to': records, ...typed } = schema;
  if (records) return { kind: 'reference', records, typed: fieldShapeFromSchema(typed) };
  if (typed['x-examples-of']) return { kind: 'examples', of: typed['x-examples-of'] };
  if (schema.format === 'moment' || schema.format === 'epoch-milliseconds') return { kind: 'moment' };
  if (schema.format === 'decimal') return { kind: 'decimal' };
  if (schema.enum) return { kind: 'choice', options: schema.enum.map(String) };
  if (schema.anyOf) return ofWays(schema.anyOf);
  const type = Array.isArray(schema.type) ? 'string' : schema.type;
  switch (type) {
    case 'boolean':
      return { kind: 'yesNo' };
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'string':
      return textOf(schema);
    case 'array':
      return { kind: 'list', of: fieldShapeFromSchema(schema.items ?? {}) };
    case 'object':
      return objectOf(schema);
    default:
      return { kind: 'json' };
  }
};

/** Of several ways to write a value the plainest counts. */
const ofWays = (ways: readonly JsonSchema[]): FieldShape => {
  if (ways.some(({ type }) => type === 'boolean')) return { kind: 'yesNo' };
  if (ways.every(({ title }) => title !== undefined))
    return {
      kind: 'byKind',
      kinds: Object.fromEntries(ways.map((way) => [way.title!, fieldShapeFromSchema(way)])),
    };
  const text = ways.find(({ type }) => type === 'string');
  return text ? fieldShapeFromSchema(text) : { kind: 'json' };
};

const numberOf = ({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): FieldShape => {
  const isWhole = type === 'integer';
  const least = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + (isWhole ? 1 : 0);
  return { kind: 'number', isWhole, least: bound(least), most: bound(maximum) };
};

const bound = (value: number | undefined): number | undefined =>
  value === undefined || Math.abs(value) >= noBound ? undefined : value;

const textOf = ({ maxLength }: JsonSchema): FieldShape => ({
  kind: 'text',
  isLong: (maxLength ?? 0) > lineLength,
  longest: maxLength,
});

const objectOf = (schema: JsonSchema): FieldShape => {
  const { properties, additionalProperties: rest, propertyNames } = schema;
  if (properties) return { kind: 'object', fields: formFieldsFromSchema(schema) };
  const of = typeof rest === 'object' ? fieldShapeFromSchema(rest) : undefined;
  if (!of || of.kind === 'json') return { kind: 'json' };
  return { kind: 'map', names: (propertyNames?.enum ?? []).map(String), of };
};
