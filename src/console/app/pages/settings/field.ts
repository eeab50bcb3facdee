/** Fields of forms, out of the schemas of request bodies: what a person types, and in which kind of box. Pure. */

/** A JSON schema as `/admin/openapi.json` writes it, as far as forms read it. */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  format?: string;
  default?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  writeOnly?: boolean;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxLength?: number;
}

/** What a value is. */
export type Shape =
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'yesNo' }
  | { kind: 'number'; isWhole: boolean; least: number | undefined; most: number | undefined }
  /** An amount: text, exact. */
  | { kind: 'decimal' }
  | { kind: 'moment' }
  | { kind: 'text'; isLong: boolean; longest: number | undefined }
  | { kind: 'object'; fields: readonly Field[] }
  /** Names, each with a value. */
  | { kind: 'map'; names: readonly string[]; of: Shape }
  | { kind: 'list'; of: Shape }
  /** One of several objects: by the `kind` of the record. */
  | { kind: 'byKind'; kinds: Readonly<Record<string, Shape>> }
  | { kind: 'json' };

export interface Field {
  name: string;
  shape: Shape;
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

/** The fields of an object. */
export const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => fieldOf(name, schema, required.includes(name)));

const fieldOf = (name: string, schema: Schema, isRequired: boolean): Field => {
  const { plain, isNullable } = withoutNull(schema);
  return {
    name,
    shape: onOneLine(name, shapeOf(plain)),
    isRequired: isRequired && schema.default === undefined,
    isNullable,
    isSecret: plain.writeOnly === true || schema.writeOnly === true || name === 'secret',
    description: schema.description ?? plain.description ?? '',
    usual: schema.default,
  };
};

const onOneLine = (name: string, shape: Shape): Shape =>
  shape.kind === 'text' && addresses.test(name) ? { ...shape, isLong: false } : shape;

/** Fields of a record of a kind: what depends on it becomes what it is for that kind, or goes. */
export const ofKind = (fields: readonly Field[], kind: string): Field[] =>
  fields.flatMap((field) => {
    if (field.shape.kind !== 'byKind') return [field];
    const shape = field.shape.kinds[kind];
    return shape ? [{ ...field, shape }] : [];
  });

/** A schema without its null, which says that nothing may be given. */
export const withoutNull = (schema: Schema): { plain: Schema; isNullable: boolean } => {
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
export const shapeOf = (schema: Schema): Shape => {
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
      return { kind: 'list', of: shapeOf(schema.items ?? {}) };
    case 'object':
      return objectOf(schema);
    default:
      return { kind: 'json' };
  }
};

/** Of several ways to write a value the plainest counts. */
const ofWays = (ways: readonly Schema[]): Shape => {
  if (ways.some(({ type }) => type === 'boolean')) return { kind: 'yesNo' };
  if (ways.every(({ title }) => title !== undefined))
    return {
      kind: 'byKind',
      kinds: Object.fromEntries(ways.map((way) => [way.title!, shapeOf(way)])),
    };
  const text = ways.find(({ type }) => type === 'string');
  return text ? shapeOf(text) : { kind: 'json' };
};

const numberOf = ({ type, minimum, maximum, exclusiveMinimum }: Schema): Shape => {
  const isWhole = type === 'integer';
  const least = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + (isWhole ? 1 : 0);
  return { kind: 'number', isWhole, least: bound(least), most: bound(maximum) };
};

const bound = (value: number | undefined): number | undefined =>
  value === undefined || Math.abs(value) >= noBound ? undefined : value;

const textOf = ({ maxLength }: Schema): Shape => ({
  kind: 'text',
  isLong: (maxLength ?? 0) > lineLength,
  longest: maxLength,
});

const objectOf = (schema: Schema): Shape => {
  const { properties, additionalProperties: rest, propertyNames } = schema;
  if (properties) return { kind: 'object', fields: fieldsOf(schema) };
  const of = typeof rest === 'object' ? shapeOf(rest) : undefined;
  if (!of || of.kind === 'json') return { kind: 'json' };
  return { kind: 'map', names: (propertyNames?.enum ?? []).map(String), of };
};
