/** What a request of the fuzzer to the admin API consists of, out of the declarations of its routes. */
import * as fc from 'fast-check';
import type { AdminOpenApiOperation, AdminOpenApiParameter } from '../../src/admin/openapi.ts';
import type { AdminRoute } from '../helpers/adminRoutes.ts';
import { atTheEdge, fitting, hostile, type Schema } from './values.ts';

export const shownRoles = ['none', 'wrong', 'operator', 'admin'] as const;

export interface AdminPlan {
  route: string;
  role: (typeof shownRoles)[number];
  path: Readonly<Record<string, unknown>>;
  query: [name: string, value: unknown][];
  /** Undefined: none is sent. */
  body: unknown;
}

export interface DescribedRoute extends AdminRoute {
  operation: AdminOpenApiOperation;
}

/** Ids that mean something in this service, by the name of a parameter, or of a route and its parameter. */
export type KnownIds = Readonly<Record<string, readonly unknown[]>>;

export const adminPlanFor = (routes: readonly DescribedRoute[], known: KnownIds): fc.Arbitrary<AdminPlan> =>
  fc.constantFrom(...routes).chain((route) => planOf(route, known));

const planOf = ({ key, operation, declared }: DescribedRoute, known: KnownIds): fc.Arbitrary<AdminPlan> => {
  const inPath = operation.parameters.filter((one) => one.in === 'path');
  const inQuery = operation.parameters.filter((one) => one.in === 'query');
  const wordsFor = (name: string) => known[`${key} ${name}`] ?? known[name] ?? ['1'];
  const schema = operation.requestBody?.content['application/json']?.schema as Schema | undefined;
  return fc.record({
    route: fc.constant(key),
    role: fc.oneof(
      { weight: 6, arbitrary: fc.constant('admin' as const) },
      { weight: 3, arbitrary: fc.constant('operator' as const) },
      { weight: 1, arbitrary: fc.constantFrom('none' as const, 'wrong' as const) },
    ),
    path: fc.record(Object.fromEntries(inPath.map(({ name }) => [name, pathValue(wordsFor(name))]))),
    query: inQuery.length === 0 ? fc.constant([]) : fc.array(queryPair(inQuery), { maxLength: 3 }),
    body: bodyOf(schema, declared.example.body),
  });
};

const pathValue = (words: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...words) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('0', '007', '987654321', '2147483648', '99999999999999999999', '-1'),
    },
    { weight: 1, arbitrary: hostile },
  );

const queryPair = (parameters: readonly AdminOpenApiParameter[]) =>
  fc.constantFrom(...parameters).chain(({ name, schema, example }) => {
    const usual = example === undefined ? [] : [{ weight: 3, arbitrary: fc.constant(example) }];
    return fc.tuple(fc.constant(name), fc.oneof(...usual, ...valueOf(schema as Schema)));
  });

const valueOf = (schema: Schema) => [
  { weight: 4, arbitrary: fitting(schema) },
  { weight: 2, arbitrary: atTheEdge(schema) },
  { weight: 1, arbitrary: hostile },
];

/** The example, fields of it changed or left out, fields that the schema admits, or anything. */
const bodyOf = (schema: Schema | undefined, example: unknown): fc.Arbitrary<unknown> => {
  if (!schema) return fc.constantFrom(undefined, undefined, {}, { x: 1 });
  const fields = Object.entries(schema.properties ?? {});
  const some = fc.record(Object.fromEntries(fields.map(([name, one]) => [name, fc.oneof(...valueOf(one))])), {
    requiredKeys: [],
  });
  const given: object = typeof example === 'object' && example !== null ? example : {};
  const oneField =
    fields.length === 0
      ? fc.constant({})
      : fc
          .constantFrom(...fields)
          .chain(([name, one]) => fc.oneof(...valueOf(one)).map((value) => ({ [name]: value })));
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant<unknown>(example ?? {}) },
    { weight: 5, arbitrary: oneField.map((changed) => ({ ...given, ...changed })) },
    { weight: 2, arbitrary: some },
    { weight: 1, arbitrary: hostile },
  );
};
