/** JSON Schemas of tools, out of the declarations of their operations. */
import * as z from 'zod';
import type { AnyOperation, Param, Params, ToolEntry } from '../operations/declare.ts';
import { jsonOf } from '../operations/jsonSchema.ts';
import { defaultOf } from '../operations/parse.ts';
import { callPagesShape } from './callPages.ts';
import type { Json } from './tool.ts';

/** A parameter at the tool door. */
export interface ToolParam {
  /** Our name of it. */
  inside: string;
  name: string;
  param: Param;
  required: boolean;
  /** 1 and 0 in the interface, true and false here. */
  isSwitch: boolean;
}

/** What a tool takes, in the order of the declaration. */
export const toolParams = (params: Params, taken: Pick<ToolEntry, 'requires' | 'without'>): ToolParam[] =>
  Object.entries(params).flatMap(([inside, param]) =>
    param.tool === undefined || taken.without?.includes(inside)
      ? []
      : [
          {
            ...{ inside, name: param.tool, param },
            required: taken.requires?.[inside] !== undefined,
            isSwitch: shapeOf(param)['type'] === 'boolean',
          },
        ],
  );

export const inputSchema = (
  params: readonly ToolParam[],
  taken: Pick<ToolEntry, 'withoutDefaults' | 'asIn'> = {},
): Json => {
  const required = params.filter((one) => one.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(params.map((one) => [one.name, paramSchema(one, taken)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
};

const paramSchema = (
  { param, isSwitch, required }: ToolParam,
  { withoutDefaults, asIn }: Pick<ToolEntry, 'withoutDefaults' | 'asIn'>,
): Json => {
  const usual = withoutDefaults || param.toolShape ? undefined : defaultOf(param);
  const says = param.toolSays ?? param.says;
  return {
    ...(lean(shapeOf(param), beyondCare) as Json),
    ...(usual !== undefined && usual !== '' && { default: usual }),
    ...(says !== '' && (asIn === undefined || required) && { description: isSwitch ? inTruths(says) : says }),
  };
};

/** What a whole number may be says nothing of it, and keywords that only judge an answer help nobody to read it. */
const lean = (schema: unknown, without: readonly string[]): unknown => {
  if (Array.isArray(schema)) return schema.map((part) => lean(part, without));
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      !(without.includes(key) && (typeof value !== 'object' || Array.isArray(value))) &&
      !boundless.has(Math.abs(Number(value))),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, lean(value, without)]));
};
/** What any whole number is within. */
const boundless: ReadonlySet<number> = new Set([2 ** 31 - 1, Number.MAX_SAFE_INTEGER]);
/** Longer texts are refused with a sentence; what is short enough to be met by accident is said in words. */
const beyondCare = ['maxLength'];
const judging = ['required', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength'];

/** "1 or yes cuts the text, 0 refuses it" as "true cuts the text, false refuses it". */
const inTruths = (says: string): string =>
  says.replaceAll(/\b1( or yes)?\b/g, 'true').replaceAll(/\b0( or no)?\b/g, 'false');

const shapeOf = ({ schema, toolShape }: Param): Json => {
  if (toolShape) return toolShape;
  const json = jsonOf(schema);
  const words = json['enum'];
  return Array.isArray(words) && words.every((word) => switchWords.has(String(word)))
    ? { type: 'boolean' }
    : json;
};

const switchWords = new Set(['0', '1', 'yes', 'no', 'true', 'false']);

/**
 * Of outcomes: clients hold failures to it as well, so that nothing but `success` is required and more may come.
 * `properties`: of a success.
 */
export const outcomeSchema = (properties: Json): Json => ({
  type: 'object',
  properties: {
    success: { type: 'boolean' },
    error: { type: 'string' },
    status_code: { type: 'integer' },
    warning: { type: 'string' },
    ...properties,
  },
  required: ['success'],
});

/** What a success of this tool carries; records that another tool describes are named only. */
export const successShape = (op: AnyOperation, entry: ToolEntry): Json =>
  entry.answersAsIn === undefined ? ownShape(op, entry) : listsOf(ownShape(op, entry), entry.answersAsIn);

const listsOf = (properties: Json, other: string): Json =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      (schema as Json)['type'] === 'array' ? { type: 'array', description: `As in ${other}.` } : schema,
    ]),
  );

const ownShape = ({ answer }: AnyOperation, entry: ToolEntry): Json => ({
  ...propertiesOf(
    entry.pages
      ? callPagesShape(entry.pages)
      : z.object({ ...(answer.mayWait ? mayWait : status), ...answer.fields.shape, ...answer.beside.shape }),
  ),
  ...(entry.done && propertiesOf(message)),
});

const status = { status: z.string() };
const mayWait = { status: z.string().describe('OK; WR: recorded, not acknowledged yet.') };
const message = z.object({ message: z.string() });

/** As an input: open, so that a key that is added later does not break a client that holds answers to it. */
export const propertiesOf = (shape: z.ZodObject): Json =>
  lean(z.toJSONSchema(shape, { io: 'input', override: saysMore }).properties, judging) as Json;

/** What a key says by itself needs no words: "Campaign id.", "The key ends in a blank." */
function saysMore({ jsonSchema }: { jsonSchema: { description?: string | undefined } }): void {
  const says = jsonSchema.description?.replace(/ ?The key ends in a blank\./, '');
  if (says === undefined || says.split(' ').length < 3) delete jsonSchema.description;
  else jsonSchema.description = says;
}
