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

export const inputSchema = (params: readonly ToolParam[], withoutDefaults = false): Json => {
  const required = params.filter((one) => one.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(params.map((one) => [one.name, paramSchema(one, withoutDefaults)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
};

const paramSchema = ({ param, isSwitch }: ToolParam, withoutDefault: boolean): Json => {
  const usual = withoutDefault || param.toolShape ? undefined : defaultOf(param);
  const says = param.toolSays ?? param.says;
  return {
    ...shapeOf(param),
    ...(usual !== undefined && usual !== '' && { default: usual }),
    description: isSwitch ? inTruths(says) : says,
  };
};

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
    success: { type: 'boolean', description: 'false: error and status_code say why' },
    error: { type: 'string', description: 'why it failed, and what to do' },
    status_code: { type: 'integer', description: 'the code of the failure; 403: the token may not' },
    warning: { type: 'string', description: 'it was done, but not quite as asked' },
    ...properties,
  },
  required: ['success'],
});

/** What a success of this tool carries. */
export const successShape = ({ answer }: AnyOperation, entry: ToolEntry): Json => ({
  ...propertiesOf(
    entry.pages ? callPagesShape : z.object({ ...status, ...answer.fields.shape, ...answer.beside.shape }),
  ),
  ...(entry.done && propertiesOf(message)),
});

const status = {
  status: z.string().describe('OK; WR: it is recorded and goes on, but nobody has acknowledged it yet.'),
};
const message = z.object({ message: z.string().describe('What was done, and what to do next.') });

/** As an input: open, so that a key that is added later does not break a client that holds answers to it. */
export const propertiesOf = (shape: z.ZodObject): Json =>
  z.toJSONSchema(shape, { io: 'input' }).properties as Json;
