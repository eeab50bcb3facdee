/** A collection for Postman, format 2.1. */
import type { AnyOperation } from '../../../src/operations/declare.ts';
import type { Json } from '../../../src/operations/jsonSchema.ts';
import type { Generated } from '../generated.ts';
import { bodyOf, foldersOf, pathOf, usualUrl } from './requests.ts';

export const postmanCollection = (operations: readonly AnyOperation[]): Generated => ({
  path: 'docs/collections/ramal.postman_collection.json',
  content: `${JSON.stringify(collection(operations), null, 2)}\n`,
});

const collection = (operations: readonly AnyOperation[]): Json => ({
  info: {
    name: 'Ramal',
    description:
      'Every operation of a Ramal service with an example. Set the variable token to an account token. Made by `npm run docs`.',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
  variable: [
    { key: 'url', value: usualUrl, type: 'string' },
    { key: 'token', value: '', type: 'string' },
  ],
  item: foldersOf(operations).map((folder) => ({ name: folder.name, item: folder.operations.map(item) })),
});

const item = (op: AnyOperation): Json => ({
  name: op.name,
  request: request(op),
  response: [
    {
      name: 'Done',
      originalRequest: request(op),
      status: op.successHttp === 201 ? 'Created' : 'OK',
      code: op.successHttp ?? 200,
      header: [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }],
      body: JSON.stringify(op.example.response, null, 2),
      _postman_previewlanguage: 'json',
    },
  ],
});

const request = (op: AnyOperation): Json => ({
  method: 'POST',
  header: [{ key: 'Content-Type', value: 'application/json' }],
  body: { mode: 'raw', raw: bodyOf(op), options: { raw: { language: 'json' } } },
  url: { raw: `{{url}}/${pathOf(op)}`, host: ['{{url}}'], path: pathOf(op).split('/') },
  description: op.summary,
});
