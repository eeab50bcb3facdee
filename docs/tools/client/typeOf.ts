/** A JSON schema as a TypeScript type. */
import type { Json } from '../../../src/operations/jsonSchema.ts';

/** `depth`: how far it is indented. */
export const typeOf = (schema: Json, depth = 0): string => {
  const { $ref, const: only, enum: words, anyOf, type } = schema;
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if (only !== undefined) return literal(only);
  if (Array.isArray(words)) return union(words.map(literal));
  if (Array.isArray(anyOf)) return union((anyOf as Json[]).map((one) => typeOf(one, depth)));
  if (Array.isArray(type)) return union(type.map((one: string) => typeOf({ ...schema, type: one }, depth)));
  return named(schema, depth);
};

const named = (schema: Json, depth: number): string => {
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `${wrapped(typeOf((schema['items'] ?? {}) as Json, depth))}[]`;
    case 'object':
      return schema['properties'] ? objectType(schema, depth) : 'Record<string, unknown>';
    default:
      return 'unknown';
  }
};

/** A named type. */
export const declared = (name: string, schema: Json): string =>
  Object.keys(schema['properties'] as object).length === 0
    ? `export type ${name} = Record<string, never>;`
    : `export interface ${name} ${objectType(schema)}`;

/** An object type with a sentence above each key. */
const objectType = ({ properties, required }: Json, depth = 0): string => {
  const needed = new Set((required ?? []) as string[]);
  const lines = Object.entries(properties as Record<string, Json>).flatMap(([key, schema]) => [
    ...comment(schema, depth + 1),
    `${indent(depth + 1)}${keyOf(key)}${needed.has(key) ? '' : '?'}: ${typeOf(schema, depth + 1)};`,
  ]);
  return lines.length === 0 ? 'Record<string, never>' : ['{', ...lines, `${indent(depth)}}`].join('\n');
};

/** The description and the default of a schema as a comment. */
const comment = ({ description, default: usual }: Json, depth: number): string[] => {
  const says = [
    ...(typeof description === 'string' ? [description] : []),
    ...(usual === undefined ? [] : [`Default ${JSON.stringify(usual)}.`]),
  ];
  return says.length === 0 ? [] : [`${indent(depth)}/** ${says.join(' ').replaceAll('*/', '* /')} */`];
};

const indent = (depth: number): string => '  '.repeat(depth);

const keyOf = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`);

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value);

/** Literals that a wider type holds already are left out. */
const union = (types: readonly string[]): string => {
  const all = [...new Set(types)];
  const wide = all.filter((type) => type === 'number' || type === 'string');
  const held = (type: string) =>
    (wide.includes('number') && /^-?\d/.test(type)) || (wide.includes('string') && type.startsWith("'"));
  return all.filter((type) => !held(type)).join(' | ');
};

const wrapped = (type: string): string => (type.includes('|') ? `(${type})` : type);
