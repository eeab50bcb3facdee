/** Holds an answer of the REST door to what its operation declares; unknown keys do not fit. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import * as z from 'zod';
import { failureBodySchema, successBodySchema } from '../../src/operations/answers.ts';
import type { AnyOperation } from '../../src/operations/declare.ts';
import { operations } from '../../src/operations/index.ts';

const byName = new Map(operations.map((op) => [op.name, op]));
const ajv = new Ajv2020({ allErrors: true, validateFormats: false });
const checks = new Map<string, ValidateFunction>();

/** Throws a sentence with what does not fit. An endpoint that does not exist is passed over. */
export const holdToDeclaration = (operation: string, http: number, body: unknown): void => {
  const op = byName.get(operation);
  if (!op) return;
  const isSuccess = http === (op.successHttp ?? 200);
  const check = checkOf(op, isSuccess);
  if (check(body)) return;
  const kind = isSuccess ? 'a success' : 'a failure';
  throw new Error(
    `${operation} answered ${http} with what it does not declare of ${kind}: ${ajv.errorsText(check.errors)}\n${JSON.stringify(body)}`,
  );
};

/** `fetch` for a client under test, which holds what it brings to the declaration. */
export const heldFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const text = await response.text();
  const [, operation = ''] = /\/api\/v2\/(\w+)\.php/.exec(response.url) ?? [];
  holdToDeclaration(operation, response.status, JSON.parse(text));
  return new Response(text, { status: response.status, headers: response.headers });
};

/** Throws a sentence when a value has not the shape of its schema, or keys beside it. */
export const holdToSchema = (schema: z.ZodType, value: unknown): void => {
  const check = ajv.compile(z.toJSONSchema(schema));
  if (!check(value)) throw new Error(`${ajv.errorsText(check.errors)}\n${JSON.stringify(value)}`);
};

const checkOf = (op: AnyOperation, isSuccess: boolean): ValidateFunction => {
  const key = `${op.name} ${isSuccess}`;
  const known = checks.get(key);
  if (known) return known;
  // As it is written: closed, so that a key that nobody declared is found.
  const check = ajv.compile(z.toJSONSchema(isSuccess ? successBodySchema(op) : failureBodySchema(op)));
  checks.set(key, check);
  return check;
};
