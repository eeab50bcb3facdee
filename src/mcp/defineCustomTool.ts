/** A tool without an operation: declared like one, answered by itself. */
import type * as z from 'zod';
import type { TokenPermission, OperationToolEntry } from '../operations/declare.ts';
import { parseParams } from '../operations/parse.ts';
import {
  toolArgumentsToParams,
  refuseUnknownToolArguments,
  wrongArgumentSentence,
} from './toolArgumentsToParams.ts';
import { inputSchema, mcpToolOutputSchema, zodToJsonSchemaProperties, toolParams } from './schemas.ts';
import {
  toolFailure,
  type Json,
  type ToolOutcome,
  type Tool,
  type ToolRequest,
  wrongToolArgumentStatusCode,
} from './tool.ts';
import type { ParamDeclarations, ParamValues } from '../operations/param.ts';

export interface CustomTool<P extends ParamDeclarations> extends Pick<
  OperationToolEntry,
  'name' | 'title' | 'description' | 'effects' | 'example'
> {
  permission: TokenPermission;
  orPermissions?: readonly TokenPermission[];
  params: P;
  /** Our names of the parameters that must be given. */
  requires?: readonly (keyof P & string)[];
  /** What a success carries. */
  answer: z.ZodObject;
  handle(values: ParamValues<P>, request: ToolRequest): Promise<ToolOutcome>;
}

export const customTool = <const P extends ParamDeclarations>(declared: CustomTool<P>): Tool => {
  const { name, title, description, permission, orPermissions, effects, example, answer, handle } = declared;
  const requires = Object.fromEntries((declared.requires ?? []).map((inside) => [inside, inside]));
  const params = toolParams(declared.params, { requires });
  return {
    ...{ name, title, permission, effects, example },
    ...(orPermissions && { orPermissions }),
    description,
    inputSchema: inputSchema(params),
    outputSchema: mcpToolOutputSchema(zodToJsonSchemaProperties(answer)),
    answers: Object.keys(answer.shape),
    async call(request) {
      const unknown = refuseUnknownToolArguments(request.arguments, params);
      if (unknown) return unknown;
      const provided = toolArgumentsToParams(request.arguments, params);
      const missing = params.find(({ required, param }) => required && provided[param.rest] === undefined);
      if (missing) return toolFailure(wrongToolArgumentStatusCode, `${missing.name} is required`);
      const parsed = parseParams(declared.params, provided);
      return 'wrong' in parsed
        ? toolFailure(wrongToolArgumentStatusCode, wrongArgumentSentence(params, parsed.wrong, parsed.wish))
        : handle(parsed.values as ParamValues<P>, request);
    },
  };
};

/** A success. */
export const toolSuccess = (fields: Json): ToolOutcome => ({ success: true, ...fields });
