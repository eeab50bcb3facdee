/** Holds an answer of the admin API to what its route declares; keys that nobody declared do not fit. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import * as z from 'zod';
import type { AnyAdminRoute } from '../../src/admin/routeDeclaration.ts';
import { adminOpenApi } from '../../src/admin/openapi.ts';
import { type AdminRoute, routeServing } from './adminRoutes.ts';

const ajv = new Ajv2020({ allErrors: true, validateFormats: false });
const checks = new Map<AnyAdminRoute, ValidateFunction>();
const { paths } = adminOpenApi('', '');

/** Throws a sentence with what does not fit. A path that no route serves is passed over. */
export const holdToRoute = (method: string, pathAndQuery: string, http: number, body: unknown): void => {
  const [path = ''] = pathAndQuery.split('?');
  const route = routeServing(method, path);
  if (!route) return;
  const wrong = misfit(route, http, body);
  if (wrong !== undefined) throw new Error(`${route.key} answered ${http} ${wrong}\n${JSON.stringify(body)}`);
};

const misfit = ({ key, method, path, declared }: AdminRoute, http: number, body: unknown) => {
  const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (!operation) return `and stands in no document as ${key}`;
  if (!(http in operation.responses)) return 'which it does not declare';
  const isSuccess = http < 300 || (http in (declared.also ?? {}) && !isRefusal(body));
  if (!isSuccess) return isRefusal(body) ? undefined : 'with no reason';
  if (!declared.answer) return body === undefined ? undefined : 'with a body, and declares none';
  const check = checkOf(declared);
  return check(body) ? undefined : `with what it does not declare: ${ajv.errorsText(check.errors)}`;
};

const isRefusal = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string';

/** Closed, so that a key that nobody declared is found. */
const checkOf = (declared: AnyAdminRoute): ValidateFunction => {
  const known = checks.get(declared);
  if (known) return known;
  const check = ajv.compile(z.toJSONSchema(declared.answer as z.ZodType, { unrepresentable: 'any' }));
  checks.set(declared, check);
  return check;
};
