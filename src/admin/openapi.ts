/** `/admin/openapi.json`: OpenAPI 3.1 of the admin API, out of the declarations of its routes. */
import type * as z from 'zod';
import type { Need } from '../access/admin/roles.ts';
import { toJsonSchema, type Json } from '../operations/jsonSchema.ts';
import type { AnyAdminRoute, AdminRouteTable } from './routeDeclaration.ts';
import { pathParameterNames } from './routeDeclaration.ts';
import { adminRouteGroups } from './routes.ts';
import { routeGroupTitles } from './subjects.ts';

/** The document as its parts are read by generators. */
export interface AdminOpenApiDocument extends Json {
  paths: Record<string, Record<string, AdminOpenApiOperation>>;
  components: { schemas: Record<string, Json>; securitySchemes: Json };
}

export interface AdminOpenApiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: AdminOpenApiParameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json; example?: unknown }> };
  responses: Record<string, AdminOpenApiResponse>;
  security: Json[];
  /** Which role it needs. */
  'x-role': Need;
}

export interface AdminOpenApiParameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  description?: string;
  schema: Json;
  example?: unknown;
}

export interface AdminOpenApiResponse {
  description: string;
  content?: Record<string, { schema: Json; example?: unknown }>;
}

/** `address`: the service's public URL. */
export const adminOpenApi = (address: string, version: string): AdminOpenApiDocument => ({
  openapi: '3.1.0',
  info: {
    title: 'Ramal administration',
    version,
    description:
      'What the people who run the service do: plain JSON, and for mistakes `error` with the `field` that is wrong, or all' +
      ' `problems` where several are. Role `operator` reads, and tries again what failed; it is shown `[secret]` for secrets. Role `admin` does everything.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: `${address}/admin/api` }],
  tags: Object.values(routeGroupTitles).map((name) => ({ name })),
  paths: pathsOf(),
  components: {
    schemas: { Refusal: refusal },
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: "The admin token, or an operator's key.",
      },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: 'ramal_session',
        description: 'A session of the console; `POST /sessions` opens one.',
      },
    },
  },
});

const refusal: Json = {
  type: 'object',
  description: 'Why a request was refused.',
  properties: {
    error: { type: 'string', description: 'A sentence for people.' },
    field: { type: ['string', 'null'], description: 'What of the request is wrong; null: all of it.' },
    problems: {
      type: 'array',
      description: 'Where several fields are wrong: all of them, that of `field` first.',
      items: {
        type: 'object',
        properties: { field: { type: ['string', 'null'] }, error: { type: 'string' } },
        required: ['field', 'error'],
      },
    },
  },
  required: ['error'],
};

const pathsOf = (): AdminOpenApiDocument['paths'] => {
  const paths: AdminOpenApiDocument['paths'] = {};
  for (const [subject, routes] of Object.entries<AdminRouteTable>(adminRouteGroups))
    for (const [key, declared] of Object.entries<AnyAdminRoute>(routes)) {
      const [method = '', path = ''] = key.split(' ');
      const operation = describe(key, declared, routeGroupTitles[subject as keyof typeof routeGroupTitles]);
      (paths[path.replaceAll(/:(\w+)/g, '{$1}')] ??= {})[method.toLowerCase()] = operation;
    }
  return paths;
};

const describe = (key: string, declared: AnyAdminRoute, tag: string): AdminOpenApiOperation => ({
  operationId: operationIdOf(key),
  tags: [tag],
  summary: declared.summary,
  description: [declared.description, needs[declared.role]].filter(Boolean).join(' '),
  parameters: [...pathParameters(key, declared), ...queryParameters(declared)],
  ...bodyOf(declared),
  responses: responsesOf(key, declared),
  security: declared.role === 'anybody' ? [] : [{ bearer: [] }, { session: [] }],
  'x-role': declared.role,
});

const needs = {
  anybody: 'Open to all.',
  operator: 'Needs role operator.',
  admin: 'Needs role admin.',
} as const;

/** `get_accounts_account_tokens` of `GET /accounts/:account/tokens`. */
const operationIdOf = (key: string): string =>
  key.replaceAll(/[^a-zA-Z]+/g, '_').replace(/^[A-Z]+/, (method) => method.toLowerCase());

/** The schemas of a path's parameters, those of its scope first. */
const pathSchemas = (declared: AnyAdminRoute): Record<string, z.ZodType> => ({
  ...(declared.path?.shape as object),
  ...(declared.scope?.params as object),
});

const pathParameters = (key: string, declared: AnyAdminRoute): AdminOpenApiParameter[] => {
  const schemas = pathSchemas(declared);
  return pathParameterNames(key).map((name) => {
    const schema = schemas[name]!;
    const { description: _, ...json } = toJsonSchema(schema);
    return { name, in: 'path', required: true, ...said(schema.description), schema: json };
  });
};

const queryParameters = ({ query, example }: AnyAdminRoute): AdminOpenApiParameter[] => {
  if (!query) return [];
  const { properties = {} } = toJsonSchema(query as z.ZodObject) as { properties?: Record<string, Json> };
  const examples = (example.query ?? {}) as Record<string, unknown>;
  return Object.entries(properties).map(([name, { description: _, ...schema }]) => ({
    name,
    in: 'query',
    ...said((query as z.ZodObject).shape[name]?.description),
    schema,
    ...(name in examples && { example: examples[name] }),
  }));
};

const said = (description: string | undefined) => (description === undefined ? {} : { description });

const bodyOf = ({ body, file, example }: AnyAdminRoute): Pick<AdminOpenApiOperation, 'requestBody'> => {
  if (file) return { requestBody: fileBody(file) };
  if (!body) return {};
  const schema = toJsonSchema(body);
  return {
    requestBody: {
      required: Array.isArray(schema['required']) && schema['required'].length > 0,
      content: { 'application/json': { schema, ...shown(example.body) } },
    },
  };
};

const fileBodies = {
  csv: { 'text/csv': { schema: { type: 'string' } } },
  sound: { 'audio/*': { schema: { type: 'string', format: 'binary' } } },
} as const;

const fileBody = (kind: keyof typeof fileBodies) => ({
  required: true,
  content: {
    ...fileBodies[kind],
    'multipart/form-data': {
      schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } },
    },
  },
});

const shown = (example: unknown) => (example === undefined ? {} : { example });

const responsesOf = (key: string, declared: AnyAdminRoute): Record<string, AdminOpenApiResponse> => {
  const responses: Record<string, AdminOpenApiResponse> = {};
  const refusals: Record<number, string> = { ...sharedRefusals(key, declared), ...declared.refuses };
  for (const [http, why] of Object.entries(refusals)) responses[http] = refusing(why);
  if (declared.http === 405) return responses;
  const success = String(declared.http ?? (declared.answer ? 200 : 204));
  const schema = declared.answer && toJsonSchema(declared.answer);
  responses[success] = schema
    ? answering('Done.', schema, declared.example.answer, declared.media)
    : { description: 'Done.' };
  for (const [http, why] of Object.entries(declared.also ?? {}))
    responses[http] = declared.media
      ? answering(why, schema, undefined, declared.media)
      : answering(why, responses[http] ? { anyOf: [schema!, refusalRef] } : schema!);
  return responses;
};

const refusalRef: Json = { $ref: '#/components/schemas/Refusal' };

const answering = (
  description: string,
  schema: Json,
  example?: unknown,
  media = 'application/json',
): AdminOpenApiResponse => ({
  description,
  content: { [media]: { schema, ...shown(example) } },
});

const refusing = (description: string): AdminOpenApiResponse => answering(description, refusalRef);

/** What any route may answer, by what it reads. */
const sharedRefusals = (key: string, { role, query }: AnyAdminRoute): Record<number, string> => ({
  400: 'Something of it cannot be read; `field` says what, `problems` where it is several.',
  ...(role !== 'anybody' && {
    401: 'The admin token, or key, is missing or wrong.',
    403: 'The role does not suffice, or a page of another site sent it.',
  }),
  ...((pathParameterNames(key).length > 0 || query) && { 404: 'What it names does not exist.' }),
  ...(/^(POST|PUT|PATCH) /.test(key) && { 413: 'The body is too large.' }),
  429: 'Too many wrong keys came from this address; `Retry-After` says how long it is kept out.',
  500: 'A mistake of ours: the answer names the request, and the log says more.',
  503: 'It cannot be done now: a database is away, or the shard is not served.',
});
