/** What an operation answers, as OpenAPI: a success, and every code under its HTTP status. */
import { failureBodySchema, successBodySchema } from '../../operations/answers.ts';
import type { AnyOperation } from '../../operations/declare.ts';
import { memoizeInWeakMap } from '../../lib/memoizeInWeakMap.ts';
import { toJsonSchema, type Json } from '../../operations/jsonSchema.ts';
import * as envelope from '../../wire/envelope.ts';
import { allErrorsOfOperation, type DocumentedRestError } from '../documentedErrors.ts';
import { headerRefs, recordSchemaRefs, rateLimitHeaderNames, schemaRef } from './components.ts';

/** The two bodies of an operation, to stand among the components. */
export const openApiAnswerSchemas = memoizeInWeakMap((op: AnyOperation): Json => ({
  [`${op.name}Answer`]: toJsonSchema(successBodySchema(op), recordSchemaRefs),
  [`${op.name}Failure`]: withCodes(
    toJsonSchema(failureBodySchema(op), recordSchemaRefs),
    codesOf(op, allErrorsOfOperation(op)),
  ),
}));

export const openApiResponses = (op: AnyOperation): Json => {
  const errors = allErrorsOfOperation(op);
  const statuses = [...new Set(errors.map(({ http }) => http))];
  return {
    [op.successHttp ?? 200]: {
      description: 'Done.',
      headers: headerRefs(...rateLimitHeaderNames, ...replayed(op)),
      content: content(schemaRef(`${op.name}Answer`), { usual: { value: op.example.response } }),
    },
    ...Object.fromEntries(
      statuses.map((http) => [
        http,
        failureOf(
          op,
          http,
          errors.filter((error) => error.http === http),
        ),
      ]),
    ),
  };
};

const replayed = ({ creates }: AnyOperation): string[] => (creates ? ['Idempotency-Replayed'] : []);

const failureOf = (op: AnyOperation, http: number, errors: readonly DocumentedRestError[]): Json => {
  const codes = { properties: { return: { properties: { status_code: codesOf(op, errors) } } } };
  return {
    description: errors.map(({ code, text }) => `- \`${code}\`: ${text}`).join('\n'),
    ...headersOf(op, http),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: schemaRef(`${op.name}Failure`) }, codes] },
        examples: Object.fromEntries(errors.map((error) => [error.code, exampleOf(op, error)])),
      },
    },
  };
};

const headersOf = (op: AnyOperation, http: number): Json => {
  const names = [
    // A caller who is not known has no allowance.
    ...([401, 404, 405, 408].includes(http) ? [] : rateLimitHeaderNames),
    ...([429, 503].includes(http) ? ['Retry-After'] : []),
    ...(http === 405 ? ['Allow'] : []),
    ...(http === 400 ? replayed(op) : []),
  ];
  return names.length === 0 ? {} : { headers: headerRefs(...names) };
};

const content = ($ref: string, examples: Json): Json => ({
  'application/json': { schema: { $ref }, examples },
});

const exampleOf = (op: AnyOperation, { code, text, fields }: DocumentedRestError): Json => ({
  summary: text,
  value: envelope.failureEnvelope(
    code,
    text,
    { fields: { ...op.failure.fields, ...fields }, beside: op.failure.beside },
    op.numericCodes,
  ),
});

/** The codes that may stand in `status_code`. */
const codesOf = ({ numericCodes }: AnyOperation, errors: readonly DocumentedRestError[]): Json => {
  const codes = [...new Set(errors.map(({ code }) => code))];
  const words = { enum: numericCodes ? codes.map(Number) : codes };
  const type = numericCodes ? 'integer' : 'string';
  return errors.some(({ passesUpstream }) => passesUpstream)
    ? {
        anyOf: [
          { type, ...words },
          { type, pattern: '^[0-9]{3,}$', description: 'A code of the upstream.' },
        ],
      }
    : { type, ...words };
};

const withCodes = (failure: Json, codes: Json): Json => {
  const { properties } = failure as { properties: { return: { properties: Json } } };
  properties.return.properties['status_code'] = codes;
  return failure;
};
