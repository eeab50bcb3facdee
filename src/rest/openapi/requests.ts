/** What an operation takes, as OpenAPI: JSON, forms, multipart, and a sound as the whole body. */
import type { AnyOperation } from '../../operations/declare.ts';
import { type Json, paramJsonSchema } from '../../operations/jsonSchema.ts';
import type { UploadRules } from '../../operations/operationUploadTypes.ts';
import type { ParamDeclaration } from '../../operations/param.ts';

const token = {
  type: 'string',
  pattern: '^[A-Za-z0-9]{30}$',
  description: 'Account token; needs not be given where a Bearer header is.',
};

const file = {
  type: 'string',
  format: 'binary',
  description: 'The file, under this name or any other.',
};

/** A token in the body wins over the header, so an example with a header has none. */
const examplesOf = ({ example: { request } }: AnyOperation): Json => {
  const { tsid: _, ...params } = request;
  return {
    bearer: { summary: 'The token in the Authorization header', value: params },
    tsid: { summary: 'The token in the body', value: request },
  };
};

/** Parameters of a request as JSON, aliases included. */
const requestSchema = (op: AnyOperation): Json => ({
  type: 'object',
  description: 'An empty value, null and an absent one mean the same. Unknown parameters are ignored.',
  properties: { tsid: token, ...Object.fromEntries(paramsOf(op).flatMap(withAliases)) },
  ...needed(op, []),
});

/** `file`: a name under which what is needed may come instead. */
const needed = (op: AnyOperation, instead: readonly string[]): Json => {
  const required = paramsOf(op).filter((param) => param.required);
  const alone = required.filter(({ aliases = [] }) => aliases.length === 0).map(({ rest }) => rest);
  const groups = required
    .filter(({ aliases = [] }) => aliases.length > 0)
    .map(({ rest, aliases = [] }) => [rest, ...aliases]);
  if (op.needs) groups.push([...op.needs, ...instead]);
  const choices = groups.map((names) => ({ anyOf: names.map((name) => ({ required: [name] })) }));
  return {
    ...(alone.length > 0 && { required: alone }),
    ...(choices.length === 1 && choices[0]),
    ...(choices.length > 1 && { allOf: choices }),
  };
};

const paramsOf = (op: AnyOperation): ParamDeclaration[] =>
  Object.values(op.params as Record<string, ParamDeclaration>);

const withAliases = (param: ParamDeclaration): (readonly [string, Json])[] => {
  const schema = paramJsonSchema(param);
  const aliases = (param.aliases ?? []).map(
    (alias) => [alias, { ...schema, description: `Alias of ${param.rest}.`, deprecated: true }] as const,
  );
  return [[param.rest, schema], ...aliases];
};

/** The request body and the parameters beside it. */
export const openApiRequest = (op: AnyOperation): Json => {
  const { raw } = (op.upload ?? {}) as Partial<UploadRules>;
  const form = formSchema(op, []);
  return {
    parameters: [
      ...(op.creates ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(raw ? paramsOf(op).filter(isShort(op)).map(queryParameter) : []),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: requestSchema(op),
          examples: examplesOf(op),
        },
        'application/x-www-form-urlencoded': { schema: form },
        'multipart/form-data': { schema: op.upload ? formSchema(op, ['file']) : form },
        ...(raw && { 'audio/*': { schema: { type: 'string', format: 'binary' } } }),
      },
    },
  };
};

const isShort = (op: AnyOperation) => (param: ParamDeclaration) =>
  !(op.upload as UploadRules | undefined)?.spills?.includes(param.rest);

/** Of a raw body, which has no room for parameters. They win over those of any body. */
const queryParameter = (param: ParamDeclaration): Json => {
  const { description, ...schema } = paramJsonSchema(param);
  return { name: param.rest, in: 'query', description: `${String(description)} For a raw body.`, schema };
};

/** In a form every value is text; JSON stands in it as its text. */
const formSchema = (op: AnyOperation, files: readonly string[]): Json => {
  const { properties } = requestSchema(op) as { properties: Record<string, Json> };
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, asText(schema)])),
      ...Object.fromEntries(files.map((name) => [name, file])),
    },
    ...needed(op, files),
  };
};

const asText = (schema: Json): Json =>
  schema['type'] === 'object' || Array.isArray(schema['type'])
    ? { type: 'string', contentMediaType: 'application/json', description: schema['description'] }
    : schema;
