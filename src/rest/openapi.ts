/** OpenAPI 3.1 out of the declarations; there is no second text to keep in step. */
import type { AnyOperation, DeclaredError, Param, Params } from '../operations/declare.ts';
import { jsonOf } from '../operations/jsonOf.ts';
import { defaultOf } from '../operations/parse.ts';
import { accessErrors } from '../access/authenticate.ts';

type Json = Record<string, unknown>;

/** `address`: the service's public URL. */
export const openApi = (operations: readonly AnyOperation[], address: string, version: string): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Ramal',
    version,
    description: 'Voice, messaging and campaigns. Every operation is a POST.',
  },
  servers: [{ url: address }],
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  security: [{}, { bearer: [] }],
  paths: Object.fromEntries(operations.map((op) => [`/api/v2/${op.name}.php`, { post: describe(op) }])),
});

const describe = (op: AnyOperation): Json => {
  const schema = requestSchema(op.params as Params);
  const content = { schema, example: op.example.request };
  return {
    operationId: op.name,
    summary: op.summary,
    description: `Spec ${op.section}. Permission: ${op.permission}.`,
    parameters: op.creates ? [idempotencyKey] : [],
    requestBody: {
      content: {
        'application/json': content,
        'application/x-www-form-urlencoded': content,
        'multipart/form-data': { schema },
      },
    },
    responses: responses(op),
  };
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key and parameters within 24 hours return the first answer.',
  schema: { type: 'string', maxLength: 255 },
};

const requestSchema = (params: Params): Json => ({
  type: 'object',
  properties: Object.fromEntries([
    ['tsid', { type: 'string', description: 'Account token; also taken as sid or Bearer.' }],
    ...Object.values(params).flatMap(paramSchemas),
  ]),
});

const paramSchemas = (param: Param): (readonly [string, Json])[] => {
  const usual = defaultOf(param);
  const schema = {
    ...jsonOf(param.schema),
    ...(usual !== undefined &&
      usual !== '' && { default: typeof usual === 'boolean' ? Number(usual) : usual }),
    description: param.says,
  };
  const aliases = (param.aliases ?? []).map(
    (alias) => [alias, { ...schema, description: `Alias of ${param.rest}.`, deprecated: true }] as const,
  );
  return [[param.rest, schema], ...aliases];
};

const responses = (op: AnyOperation): Json => ({
  [op.successHttp ?? 200]: {
    description: 'Done.',
    content: { 'application/json': { example: op.example.response } },
  },
  400: { description: listOf([wrongValue, ...declaredErrors(op)]) },
  401: { description: listOf(Object.values(accessErrors).filter((error) => error.http === 401)) },
  403: { description: listOf(Object.values(accessErrors).filter((error) => error.http === 403)) },
  ...(op.creates && { 409: { description: 'Idempotency-Key was used with other parameters.' } }),
  413: { description: 'The body is too large.' },
  500: { description: 'Internal error; status carries an incident id.' },
  503: { description: 'Not now; see Retry-After.' },
});

const listOf = (errors: readonly { code: string; text: string }[]): string =>
  errors.map(({ code, text }) => `${code}: ${text}`).join('\n');

const wrongValue = { code: '299', text: 'a parameter has the wrong type or is out of range' };

const declaredErrors = (op: AnyOperation): DeclaredError[] =>
  Object.values(op.errors as Record<string, DeclaredError>).filter((error) => (error.http ?? 400) === 400);
