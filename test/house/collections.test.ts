/** The collections for Postman and Bruno, as those programs read them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brunoCollection } from '../../docs/tools/collections/bruno.ts';
import { operations } from '../../src/operations/index.ts';

interface Item {
  name: string;
  item?: Item[];
  request: {
    method: string;
    url: { raw: string; host: string[]; path: string[] };
    body: { mode: string; raw: string };
  };
  response: { code: number; body: string }[];
}
interface Collection {
  info: { schema: string };
  variable: { key: string; value: string }[];
  item: Item[];
}

const text = readFileSync(
  join(import.meta.dirname, '../../docs/collections/ramal.postman_collection.json'),
  'utf8',
);
const collection = JSON.parse(text) as Collection;
const requests = collection.item.flatMap((folder) => folder.item ?? []);
const names = operations.map(({ name }) => name).toSorted();

test('the Postman collection is of format 2.1, with each operation once, below a variable address', () => {
  expect(collection.info.schema).toContain('/v2.1.0/');
  expect(requests.map(({ name }) => name).toSorted()).toEqual(names);
  for (const { name, request } of requests) {
    expect(request).toMatchObject({ method: 'POST', body: { mode: 'raw' } });
    expect(request.url).toEqual({
      raw: `{{url}}/api/v2/${name}.php`,
      host: ['{{url}}'],
      path: ['api', 'v2', `${name}.php`],
    });
  }
});

test('its bodies are the examples, without a token', () => {
  for (const { name, request, response } of requests) {
    const { example, successHttp = 200 } = operations.find((op) => op.name === name)!;
    const { tsid, ...params } = example.request;
    expect(JSON.parse(request.body.raw)).toEqual(params);
    expect([response[0]!.code, JSON.parse(response[0]!.body)]).toEqual([successHttp, example.response]);
    expect(text).not.toContain(String(tsid));
  }
  expect(collection.variable.find(({ key }) => key === 'token')!.value).toBe('');
});

test('the Bruno collection has a file for each, whose blocks are closed', () => {
  const files = brunoCollection(operations);
  const asked = files.filter(({ content }) => content.includes('type: http'));
  expect(asked.map(({ path }) => path.split('/').at(-1)!.replace('.bru', '')).toSorted()).toEqual(names);
  for (const { content } of asked) {
    const [, body] = /^body:json \{\n([\s\S]*?)\n\}$/m.exec(content)!;
    expect(() => JSON.parse(body!) as unknown).not.toThrow();
    expect(content.match(/^[a-z:]+ \{$/gm)).toHaveLength(content.match(/^\}$/gm)!.length);
  }
});
