/** `/admin/openapi.json`: valid to an independent validator, complete, and true in its examples. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { read } from '../../src/admin/adminErrorsAndRequestParsing.ts';
import { pathParameterNames } from '../../src/admin/routeDeclaration.ts';
import { adminOpenApi } from '../../src/admin/openapi.ts';
import { adminRoutes } from '../helpers/adminRoutes.ts';
import { documentSchemas } from '../helpers/documentSchemas.ts';

const document = JSON.parse(JSON.stringify(adminOpenApi('http://localhost:8080', '1.2.3'))) as ReturnType<
  typeof adminOpenApi
>;
const schemas = documentSchemas(document);
const routes = adminRoutes();

test('an independent validator takes it as OpenAPI 3.1', async () => {
  const result = await new Validator().validate({ ...document });
  expect([result.valid, result.errors]).toEqual([true, undefined]);
});

test('every route that is mounted stands in it, and nothing else does', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const mounted = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(described.toSorted()).toEqual(mounted.toSorted());
  expect(mounted.length).toBeGreaterThan(100);
});

test('every operation has a name of its own', () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(routes.map((route) => [route.key, route] as const))('%s', (key, { method, path, declared }) => {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!;

  test('needs a role, says what it does, and describes the parameters of its path', () => {
    expect(['anybody', 'operator', 'admin']).toContain(declared.role);
    expect(declared.summary).toMatch(/^[A-Z].*\.$/s);
    const described = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
    expect(described).toEqual(pathParameterNames(key));
    const read = [...Object.keys(declared.path?.shape ?? {}), ...Object.keys(declared.scope?.params ?? {})];
    expect(read.filter((name) => !described.includes(name))).toEqual([]);
  });

  test('has examples that fit', () => {
    const { example } = declared;
    if (declared.body) {
      expect(() => read(declared.body, example.body)).not.toThrow();
      const schema = operation.requestBody!.content['application/json']!.schema;
      expect(schemas.against(schema, example.body ?? {})).toEqual([]);
    }
    if (declared.query) expect(() => read(declared.query, example.query)).not.toThrow();
    const success = Object.entries(operation.responses).find(([http]) => Number(http) < 300)?.[1];
    const content = success?.content?.['application/json'];
    if (!content) return;
    expect(content.example).toBeDefined();
    expect(schemas.against(content.schema, content.example)).toEqual([]);
  });
});
