/** What the service sends to customers' addresses, as OpenAPI: callbacks of one request, and webhooks of an account. */
import type { AnyOperation } from '../../operations/declare.ts';
import { toJsonSchema, type Json } from '../../operations/jsonSchema.ts';
import {
  callEventBodySchema,
  forwardedMessageSchema,
  messageEventBodySchema,
  testEventBodySchema,
} from '../../wire/callbackSchemas.ts';
import { schemaRef } from './components.ts';
import type { ParamDeclaration } from '../../operations/param.ts';

export const callbackSchemas = (): Json => ({
  CallEvent: toJsonSchema(callEventBodySchema),
  MessageEvent: toJsonSchema(messageEventBodySchema),
  ReceivedMessage: toJsonSchema(forwardedMessageSchema),
  TestEvent: toJsonSchema(testEventBodySchema),
});

const header = (name: string, description: string, schema: Json = { type: 'string' }): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

/** Standard Webhooks over the body. */
const signature = [
  header('webhook-id', 'Names the event; the same in every attempt. Keep it, to know a repetition.'),
  header('webhook-timestamp', 'Seconds of the epoch, of this attempt.', {
    type: 'string',
    pattern: '^[0-9]+$',
  }),
  header(
    'webhook-signature',
    'v1,<base64 of HMAC-SHA256 over id.timestamp.body> with the secret of the account (whsec_…); two during a rotation.',
  ),
];

/** `form`: what a form carries, where that is another thing. */
const posted = (summary: string, schema: string, form = schema): Json => ({
  post: {
    summary,
    description:
      'JSON, or a form with the same keys (callback_type), POST or GET, as the account has it. Any 2xx within 15 seconds' +
      ' is a success; 410 stops; everything else is tried again for about a day.',
    parameters: signature,
    requestBody: {
      content: {
        'application/json': { schema: { $ref: schemaRef(schema) } },
        'application/x-www-form-urlencoded': { schema: { $ref: schemaRef(form) } },
      },
    },
    responses: {
      '2XX': { description: 'Taken.' },
      410: { description: 'Nothing more is wanted here.' },
      default: { description: 'Not taken; tried again.' },
    },
  },
});

/** The callbacks of an operation that takes `rurl`. */
export const openApiCallbacks = (op: AnyOperation): Json => {
  const params = Object.values(op.params as Record<string, ParamDeclaration>);
  if (!params.some(({ rest }) => rest === 'rurl')) return {};
  const request =
    op.topic === 'calls' && !op.creates
      ? posted(
          'The records that were found: all in one JSON, or a form for each.',
          'GetCallStatusAnswer',
          'CallRecord',
        )
      : posted('An event of a call.', 'CallEvent');
  return { callbacks: { rurl: { '{$request.body#/rurl}': request } } };
};

export const openApiWebhooks = {
  call: posted('An event of a call, to the callback address of the account.', 'CallEvent'),
  message: posted('An event of a message, to the callback address of the account.', 'MessageEvent'),
  received: posted('A message from a person, to the forwarding address of its line.', 'ReceivedMessage'),
  test: posted('A trial that an operator sends to the callback address of the account.', 'TestEvent'),
};
