/** What parameters and answers look like as JSON Schema (2020-12): OpenAPI, the tools and the pages are made of it. */
import * as z from 'zod';
import { memoizeInWeakMap } from '../lib/memoizeInWeakMap.ts';
import { paramDefault } from './parse.ts';
import type { ParamDeclaration } from './param.ts';

export type Json = Record<string, unknown>;

/**
 * A schema as JSON Schema. Parameters carry theirs in `json` (`parameterValueSchemas.ts`), because they also take form texts. What
 * `named` knows becomes a reference to that name. Objects are open: an answer may gain keys.
 */
export const toJsonSchema = (schema: z.ZodType, named?: ReadonlyMap<z.ZodType, string>): Json =>
  named ? convert(schema, named) : plainJsonOf(schema);

const convert = (schema: z.ZodType, named: ReadonlyMap<z.ZodType, string>): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const own = zodSchema as unknown as z.ZodType;
      const name = own === schema ? undefined : named.get(own);
      const meta = z.globalRegistry.get(own) as { json?: Json } | undefined;
      const instead = name === undefined ? meta?.json : { $ref: name };
      if (!instead) return;
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Json)[key];
      Object.assign(jsonSchema, instead);
    },
  });
  return json;
};

/** Converting takes long, and several descriptions are made of each schema. */
const plainJsonOf = memoizeInWeakMap((schema: z.ZodType) => convert(schema, new Map()));

/** A parameter with its default and its sentence. */
export const paramJsonSchema = (param: ParamDeclaration): Json => {
  const json = toJsonSchema(param.schema);
  const usual = paramDefault(param);
  return {
    ...json,
    ...(usual !== undefined && usual !== '' && { default: writtenAs(json, usual) }),
    description: param.description,
  };
};

/** A default as a caller would write it: flags are kept as truth values. */
const writtenAs = ({ enum: words, type }: Json, value: unknown): unknown => {
  const ways = typeof value === 'boolean' ? [Number(value), String(Number(value)), String(value)] : [value];
  const written = Array.isArray(words) ? ways.find((way) => words.includes(way)) : ways[0];
  return type === 'string' ? String(written) : written;
};
