/** `/openapi.json` as clients' tools read it: an independent validator, and examples held to their schemas. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { openApi } from '../../src/rest/openapi/document.ts';
import { documentSchemas } from '../helpers/documentSchemas.ts';

interface Content {
  schema: object;
  examples?: Record<string, { value: unknown }>;
}
interface Described {
  operationId: string;
  parameters: { in?: string; name?: string; $ref?: string }[];
  requestBody: { content: Record<string, Content> };
  responses: Record<string, { headers?: object; content: Record<string, Content> }>;
  callbacks?: object;
}
interface Document {
  paths: Record<string, { post: Described }>;
  components: { schemas: Record<string, object>; headers: object };
}

const document = JSON.parse(
  JSON.stringify(openApi(operations, 'http://localhost:8080', '1.2.3')),
) as Document;
const posts = Object.values(document.paths).map(({ post }) => post);

const schemas = documentSchemas(document);

test('an independent validator takes it as OpenAPI 3.1', async () => {
  const result = await new Validator().validate({ ...document });
  expect([result.valid, result.errors]).toEqual([true, undefined]);
});

test('every operation is there once', () => {
  expect(posts.map(({ operationId }) => operationId)).toEqual(operations.map(({ name }) => name));
});

describe.each(posts.map((post) => [post.operationId, post] as const))('%s', (name, post) => {
  test('takes JSON, a form and multipart, and its examples of a request fit', () => {
    const { content } = post.requestBody;
    expect(Object.keys(content)).toEqual(
      expect.arrayContaining([
        'application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
      ]),
    );
    const { schema, examples } = content['application/json']!;
    const values = Object.values(examples!).map(({ value }) => value);
    expect(values.flatMap((value) => schemas.against(schema, value))).toEqual([]);
    for (const one of Object.values(content)) expect(() => schemas.compile(one.schema)).not.toThrow();
  });

  test('has an answer for success and for every way to fail, with examples that fit', () => {
    const success = name === 'CreateMsgappTemplate' ? '201' : '200';
    const failures = ['400', '401', '403', '404', '405', '413', '415', '429', '500', '503'];
    expect(Object.keys(post.responses)).toEqual(expect.arrayContaining([success, ...failures]));
    for (const { content } of Object.values(post.responses)) {
      const { schema, examples } = content['application/json']!;
      const values = Object.values(examples!).map(({ value }) => value);
      expect(values.length).toBeGreaterThan(0);
      expect(values.flatMap((value) => schemas.against(schema, value))).toEqual([]);
    }
  });

  test('names every declared code under its HTTP status', () => {
    const op = operations.find((one) => one.name === name)!;
    const declared = Object.values(op.errors as Record<string, { code: string; http?: number }>);
    const missing = declared.filter(
      ({ code, http = 400 }) => !(code in post.responses[http]!.content['application/json']!.examples!),
    );
    expect(missing).toEqual([]);
  });
});

const requestOf = (name: string): object =>
  document.paths[`/api/v2/${name}.php`]!.post.requestBody.content['application/json']!.schema;

test('a default is a value that its parameter admits', () => {
  const wrong = operations.flatMap(({ name }) => {
    const { properties } = requestOf(name) as { properties: Record<string, { default?: unknown }> };
    return Object.entries(properties)
      .filter(
        ([, schema]) => schema.default !== undefined && schemas.against(schema, schema.default).length > 0,
      )
      .map(([param]) => `${name} ${param}`);
  });
  expect(wrong).toEqual([]);
});

test('a request that lacks what is needed does not fit', () => {
  const lacks = (name: string, request: object) => schemas.against(requestOf(name), request).length > 0;
  expect(lacks('MakeTTSCall', { dest: '11987650000' })).toBe(true);
  expect(lacks('MakeTTSCall', { text: 'Olá' })).toBe(true);
  expect(lacks('MakeTTSCall', { dest: '11987650000', nome: 'Ana' })).toBe(false);
  expect(lacks('MakeSMS', { dest: '11987650000' })).toBe(true);
  expect(lacks('MakeSMS', { dest: '11987650000', msg_text: 'Olá' })).toBe(false);
  expect(lacks('ChangeCampaign', { cp_id: 4 })).toBe(true);
});

test('a file may come as multipart, or as the whole body where sound is taken', () => {
  const contentOf = (name: string) => posts.find((post) => post.operationId === name)!.requestBody.content;
  expect(contentOf('CreateDestinationBase')['multipart/form-data']!.schema).toMatchObject({
    properties: { file: { format: 'binary' } },
  });
  expect(contentOf('CreateAudioFile')['audio/*']).toBeDefined();
  expect(contentOf('MakeSMS')['multipart/form-data']!.schema).not.toMatchObject({
    properties: { file: expect.anything() },
  });
});

test('operations that take rurl say what is sent there, signed', () => {
  const withCallbacks = posts.filter(({ callbacks }) => callbacks !== undefined);
  expect(withCallbacks.map(({ operationId }) => operationId)).toEqual([
    'MakeTTSCall',
    'CreateCampaign',
    'GetCallStatus',
  ]);
  expect(JSON.stringify(withCallbacks[0]!.callbacks)).toContain('webhook-signature');
});

test('headers that a client acts on are declared', () => {
  const post = posts.find(({ operationId }) => operationId === 'MakeSMS')!;
  expect(Object.keys(post.responses['429']!.headers!)).toContain('Retry-After');
  expect(Object.keys(post.responses['200']!.headers!)).toContain('Idempotency-Replayed');
});
