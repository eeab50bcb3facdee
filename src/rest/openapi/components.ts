/** Parts of the OpenAPI document that several operations name: records, headers, security. */
import type * as z from 'zod';
import { toJsonSchema, type Json } from '../../operations/jsonSchema.ts';
import { audioRecordSchema, createdAudioSchema } from '../../wire/audioRecord.ts';
import { callRecordSchema } from '../../wire/callRecord.ts';
import { campaignApiRecordSchema } from '../../wire/campaignRecord.ts';
import { destinationListApiRecordSchema } from '../../wire/listRecord.ts';
import { queueRecordSchema } from '../../wire/queueRecord.ts';
import { templateRecordSchema } from '../../wire/templateRecord.ts';
import { speechVoiceRecordSchema } from '../../wire/speechVoiceRecord.ts';

const records: Readonly<Record<string, z.ZodType>> = {
  CallRecord: callRecordSchema,
  CampaignRecord: campaignApiRecordSchema,
  ListRecord: destinationListApiRecordSchema,
  AudioRecord: audioRecordSchema,
  CreatedAudio: createdAudioSchema,
  VoiceRecord: speechVoiceRecordSchema,
  QueueRecord: queueRecordSchema,
  TemplateRecord: templateRecordSchema,
};

export const schemaRef = (name: string): string => `#/components/schemas/${name}`;

/** Where the records stand in the document. */
export const recordSchemaRefs: ReadonlyMap<z.ZodType, string> = new Map(
  Object.entries(records).map(([name, schema]) => [schema, schemaRef(name)]),
);

export const recordSchemas = (): Json =>
  Object.fromEntries(Object.entries(records).map(([name, schema]) => [name, toJsonSchema(schema)]));

const header = (description: string, schema: Json): Json => ({ description, schema });

const headers: Readonly<Record<string, Json>> = {
  'RateLimit-Limit': header('Requests that the token may make at once.', { type: 'integer' }),
  'RateLimit-Remaining': header('Requests that are left.', { type: 'integer' }),
  'RateLimit-Reset': header('Seconds until all of them are there again.', { type: 'integer' }),
  'Retry-After': header('Seconds after which to try again.', { type: 'integer', minimum: 1 }),
  'Idempotency-Replayed': header('The answer was given before, under this Idempotency-Key.', {
    type: 'string',
    const: 'true',
  }),
  'Ramal-Sandbox': header('A sandbox has what was sent, or gave the answer: no real recipient was reached.', {
    type: 'string',
    const: 'true',
  }),
  Allow: header('The methods that the endpoint takes.', { type: 'string', const: 'POST' }),
};

/** References to these headers. */
export const headerRefs = (...names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Of every answer to a token that is known. */
export const rateLimitHeaderNames = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

export const sharedOpenApiComponents = {
  headers,
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'The same key and parameters within 24 hours are answered with the first answer; other parameters with 409.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
    },
  },
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        'The account token, 30 letters and digits. It is also taken as the parameter tsid or sid of the body.',
    },
  },
};
