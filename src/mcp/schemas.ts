/** JSON Schemas of tools, out of the declarations of their operations. */
import * as z from 'zod';
import type { AnyOperation, OperationToolEntry } from '../operations/declare.ts';
import { toJsonSchema } from '../operations/jsonSchema.ts';
import { paramDefault } from '../operations/parse.ts';
import { callPagesShape } from './collectCallReports.ts';
import type { Json } from './tool.ts';
import type { ParamDeclaration, ParamDeclarations } from '../operations/param.ts';

/** A parameter at the tool door. */
export interface ToolParam {
  /** Our name of it. */
  inside: string;
  name: string;
  param: ParamDeclaration;
  required: boolean;
  /** 1 and 0 in the interface, true and false here. */
  isSwitch: boolean;
}

/** What a tool takes, in the order of the declaration. */
export const toolParams = (
  params: ParamDeclarations,
  taken: Pick<OperationToolEntry, 'requires' | 'without'>,
): ToolParam[] =>
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
  taken: Pick<OperationToolEntry, 'withoutDefaults' | 'asIn'> = {},
): Json => {
  const required = params.filter((one) => one.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(params.map((one) => [one.name, paramSchema(one, taken)])),
    ...(required.length > 0 && { required }),
  };
};

const paramSchema = (
  { param, isSwitch, required }: ToolParam,
  { withoutDefaults, asIn }: Pick<OperationToolEntry, 'withoutDefaults' | 'asIn'>,
): Json => {
  const usual = withoutDefaults || param.toolShape ? undefined : paramDefault(param);
  const description = param.toolDescription ?? param.description;
  const isTold = asIn === undefined || required;
  return {
    ...(lean(isTold ? shapeOf(param) : outerOf(shapeOf(param)), beyondCare) as Json),
    ...(usual !== undefined && usual !== '' && { default: usual }),
    ...(isTold && saysMore(description) && { description: isSwitch ? inTruths(description) : description }),
  };
};

/** Of a list whose entries another tool describes, that it is one. */
const outerOf = ({ items, ...shape }: Json): Json =>
  items === undefined ? shape : { ...shape, items: { type: (items as Json)['type'] } };

/** Without what says nothing: bounds that any count keeps, and words that repeat the key. */
const lean = (schema: unknown, without: readonly string[]): unknown => {
  if (Array.isArray(schema)) return schema.map((part) => lean(part, without));
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      !(without.includes(key) && (typeof value !== 'object' || Array.isArray(value))) &&
      !isBoundless(key, value) &&
      !(key === 'description' && !saysMore(String(value))),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, lean(value, without)]));
};
/** Bounds that any count or id keeps to, and that are not exceeded by accident. */
const isBoundless = (key: string, value: unknown): boolean =>
  (key === 'minimum' && (value === 0 || value === 1 || Number(value) < -1_000)) ||
  (key === 'maximum' && Number(value) >= 100_000);
/** What is too long or of the wrong form is refused with a sentence; which form it must have is said in words. */
const beyondCare = ['maxLength', 'pattern'];

/** "1 or yes cuts the text, 0 refuses it" as "true cuts the text, false refuses it". */
const inTruths = (description: string): string =>
  description.replaceAll(/\b1( or yes)?\b/g, 'true').replaceAll(/\b0( or no)?\b/g, 'false');

const shapeOf = ({ schema, toolShape }: ParamDeclaration): Json => {
  if (toolShape) return toolShape;
  const json = toJsonSchema(schema);
  const words = json['enum'];
  return Array.isArray(words) && words.every((word) => switchWords.has(String(word)))
    ? { type: 'boolean' }
    : json;
};

const switchWords = new Set(['0', '1', 'yes', 'no', 'true', 'false']);

/**
 * Of outcomes: what must be known to read them. Keys that say all by themselves are left out, as more may come; so are
 * `success`, `error`, `status`, `status_code` and `warning`, which the instructions tell of. `properties`: of a success.
 */
export const mcpToolOutputSchema = (properties: Json): Json => ({ type: 'object', properties });

/** What a success of this tool carries; records that another tool describes are named only. */
export const successShape = (op: AnyOperation, entry: OperationToolEntry): Json =>
  entry.answersAsIn === undefined ? ownShape(op, entry) : listsOf(ownShape(op, entry), entry.answersAsIn);

const listsOf = (properties: Json, other: string): Json =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      (schema as Json)['items'] ? { description: `As in ${other}.` } : schema,
    ]),
  );

const ownShape = (op: AnyOperation, entry: OperationToolEntry): Json =>
  zodToJsonSchemaProperties(shapeOfAnswer(op, entry));

const shapeOfAnswer = ({ answer }: AnyOperation, { pages }: OperationToolEntry): z.ZodObject =>
  pages ? callPagesShape(pages) : z.object({ ...answer.fields.shape, ...answer.beside.shape });

/** Every key of a success, with those of which nothing need be said. */
export const toolAnswerFieldNames = (op: AnyOperation, entry: OperationToolEntry): string[] => [
  ...(entry.pages ? [] : ['status']),
  ...Object.keys(shapeOfAnswer(op, entry).shape),
  ...(entry.done ? ['message'] : []),
];

/** As an input: open, so that a key that is added later does not break a client that holds answers to it. */
export const zodToJsonSchemaProperties = (shape: z.ZodObject): Json =>
  told(z.toJSONSchema(shape, { io: 'input' }).properties as Json);

/** Of each key what is said of it, and of lists and objects what is said of theirs. */
const told = (properties: Json): Json =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([key, schema]) => {
      const said = toldOf(schema as Json);
      return Object.keys(said).length > 0 ? [[key, said]] : [];
    }),
  );

const toldOf = ({ description, properties, items, enum: words }: Json): Json => {
  const text = typeof description === 'string' ? briefly(description) : '';
  const own = properties ? told(properties as Json) : {};
  const entries = items ? toldOf(items as Json) : {};
  return {
    ...(words !== undefined && text === '' && { enum: words }),
    ...(Object.keys(own).length > 0 && { type: 'object', properties: own }),
    ...(Object.keys(entries).length > 0 && { type: 'array', items: entries }),
    ...(saysMore(text) && { description: text }),
  };
};

/** That an empty text stands for nothing goes without saying. */
const briefly = (text: string): string =>
  text.replace(/ ?The key ends in a blank\./, '').replace(/; empty: [a-z ]+\.$/, '.');

/** What a key says by itself needs no words: "Campaign id.", "Text of the header." */
const saysMore = (text: string): boolean =>
  /[|<]/.test(text) ||
  (text.split(' ').length >= 3 && !/^(Text|Type|Ids?|Name) (of|in|without)( the)?( \w+){1,2}\.$/.test(text));
