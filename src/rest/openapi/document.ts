/** OpenAPI 3.1 out of the declarations; there is no second text to keep in step. */
import type { AnyOperation } from '../../operations/declare.ts';
import type { Json } from '../../operations/jsonSchema.ts';
import { memoizeInWeakMap } from '../../lib/memoizeInWeakMap.ts';
import { operationTopicTitles } from '../../operations/topics.ts';
import { callbackSchemas, openApiCallbacks, openApiWebhooks } from './callbacks.ts';
import { recordSchemas, sharedOpenApiComponents } from './components.ts';
import { openApiRequest } from './requests.ts';
import { openApiAnswerSchemas, openApiResponses } from './responses.ts';

/** `address`: the service's public URL. */
export const openApi = (operations: readonly AnyOperation[], address: string, version: string): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Ramal',
    version,
    description:
      'Voice, messages and campaigns. Every operation is a POST of JSON, a form or multipart, and answers the envelope' +
      ' `return` with a sentence in `status` and a code in `status_code`; the same code means something else next door.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: address }],
  tags: tagsOf(operations),
  security: [{ bearer: [] }, {}],
  paths: Object.fromEntries(operations.map((op) => [`/api/v2/${op.name}.php`, { post: describe(op) }])),
  webhooks: openApiWebhooks,
  components: {
    schemas: {
      ...recordSchemas(),
      ...callbackSchemas(),
      ...Object.assign({}, ...operations.map(openApiAnswerSchemas)),
    },
    ...sharedOpenApiComponents,
  },
});

const tagsOf = (operations: readonly AnyOperation[]) =>
  [...new Set(operations.map(({ topic }) => operationTopicTitles[topic]))].map((name) => ({ name }));

const describe = memoizeInWeakMap((op: AnyOperation): Json => ({
  operationId: op.name,
  tags: [operationTopicTitles[op.topic]],
  summary: op.summary,
  description: `Section ${op.section} of the interface. Permission \`${op.permission}\`.`,
  ...openApiRequest(op),
  responses: openApiResponses(op),
  ...openApiCallbacks(op),
}));
