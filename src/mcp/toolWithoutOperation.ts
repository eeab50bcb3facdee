/** A tool without an operation: declared like one, answered by itself. */
import type * as z from 'zod';
import type { Permission, ToolEntry } from '../operations/declare.ts';
import { parseParams } from '../operations/parse.ts';
import { providedOf, unknownIn, wishOf } from './arguments.ts';
import { inputSchema, outcomeSchema, propertiesOf, toolParams } from './schemas.ts';
import { failure, type Json, type Outcome, type Tool, type ToolRequest, wrongArgument } from './tool.ts';
import type { Params, Values } from '../operations/param.ts';

export interface CustomTool<P extends Params> extends Pick<
  ToolEntry,
  'name' | 'title' | 'description' | 'effects' | 'example'
> {
  permission: Permission;
  orPermissions?: readonly Permission[];
  params: P;
  /** Our names of the parameters that must be given. */
  requires?: readonly (keyof P & string)[];
  /** What a success carries. */
  answer: z.ZodObject;
  handle(values: Values<P>, request: ToolRequest): Promise<Outcome>;
}

export const customTool = <const P extends Params>(declared: CustomTool<P>): Tool => {
  const { name, title, description, permission, orPermissions, effects, example, answer, handle } = declared;
  const requires = Object.fromEntries((declared.requires ?? []).map((inside) => [inside, inside]));
  const params = toolParams(declared.params, { requires });
  return {
    ...{ name, title, permission, effects, example },
    ...(orPermissions && { orPermissions }),
    description,
    inputSchema: inputSchema(params),
    outputSchema: outcomeSchema(propertiesOf(answer)),
    answers: Object.keys(answer.shape),
    async call(request) {
      const unknown = unknownIn(request.arguments, params);
      if (unknown) return unknown;
      const provided = providedOf(request.arguments, params);
      const missing = params.find(({ required, param }) => required && provided[param.rest] === undefined);
      if (missing) return failure(wrongArgument, `${missing.name} is required`);
      const parsed = parseParams(declared.params, provided);
      return 'wrong' in parsed
        ? failure(wrongArgument, wishOf(params, parsed.wrong, parsed.wish))
        : handle(parsed.values as Values<P>, request);
    },
  };
};

/** A success. */
export const found = (fields: Json): Outcome => ({ success: true, ...fields });
