/** The account's audio assets, newest first (spec 4.9): those that are visible and have not expired. */
import * as z from 'zod';
import { isTransientDatabaseError } from '../../store/transientError.ts';
import { type AudioListQuery, type AudioRow, findAudios } from '../../store/reads/audio/audios.ts';
import { audioRecordSchema, formatAudioRecord } from '../../wire/audioRecord.ts';
import {
  type RequestContext,
  emptyObjectSchema,
  defineOperation,
  type OperationSuccess,
} from '../declare.ts';
import { countWithoutCeilingSchema, wordChoiceSchema, text } from '../parameterValueSchemas.ts';
import { formatWarningField, rowsPerStreamedRead, streamPagesAsJson } from '../streamPagedJson.ts';
import type { Services } from '../services.ts';
import { defineParams } from '../param.ts';

const listParams = defineParams({
  type: {
    rest: 'type',
    tool: 'type',
    schema: wordChoiceSchema(['todas', 'tts', 'upload', 'rec', 'ttsvar']).default('todas'),
    description: 'Kind of asset; todas is all of them.',
  },
  search: {
    rest: 'search',
    tool: 'search',
    schema: text(200).optional(),
    description: 'In name, id and text, whatever case and accents.',
  },
  limit: {
    rest: 'maxreg',
    tool: 'max_records',
    schema: countWithoutCeilingSchema().default(100),
    description: 'Most assets of the answer.',
  },
});

const listErrors = {
  failed: { code: '500', text: 'internal error: the database could not answer', http: 500 },
} as const;

type ListRequestContext = RequestContext<typeof listParams, typeof listErrors>;

export const GetAudiosListOperation = defineOperation({
  name: 'GetAudiosList',
  section: '4.9',
  topic: 'audio',
  summary: 'Audio assets, newest first.',
  permission: 'telephony',
  creates: false,
  params: listParams,
  errors: listErrors,
  answer: { fields: emptyObjectSchema, beside: z.object({ audios: z.array(audioRecordSchema) }) },
  failure: { fields: {}, beside: { audios: [] } },
  tools: [
    {
      name: 'get_audios',
      title: 'List the audios',
      description:
        'The audios of the account, newest first; cdw_file is what content takes. Changes nothing.',
      effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      example: { search: 'aviso', max_records: 20 },
    },
  ],
  example: {
    request: { tsid: 'DEMO0token0DEMO0token0DEMO0tok', search: 'aviso' },
    response: {
      return: { status: 'OK', status_code: '0' },
      audios: [
        {
          cdw_file: 'tf1', cdw_file_test: '', cdw_name: 'Aviso', cdw_sec: '2.318', cdw_date: '2026-11-20',
          cdw_expires: '2026-11-21', cdw_type: 'tts',
        },
      ],
    },
  }, // prettier-ignore

  async handle(ctx) {
    const { limit } = ctx.params;
    const write = writerFor(ctx);
    const { database, longReads } = ctx.services;
    if (limit <= rowsPerStreamedRead) {
      const rows = await read(ctx, database, { limit });
      return { beside: { audios: rows.map(write) } } satisfies OperationSuccess;
    }
    const beside = () => formatWarningField(ctx.warnings);
    return {
      stream: streamPagesAsJson({
        key: 'audios',
        most: limit,
        write,
        beside,
        read: (page) => read(ctx, longReads, page),
      }),
    };
  },
});

/** A database that is away passes, and is answered 503; one that errs is code 500. */
const read = async (
  { account, params, services, refuse }: ListRequestContext,
  database: Services['database'],
  page: Pick<AudioListQuery, 'limit' | 'belowId'>,
): Promise<AudioRow[]> => {
  const query: AudioListQuery = {
    account: account.id,
    at: services.engine.now(account.shard),
    ...(params.type !== 'todas' && { type: params.type }),
    search: params.search?.trim() || undefined,
    ...page,
  };
  try {
    return await findAudios(database(account.shard), query);
  } catch (error) {
    if (isTransientDatabaseError(error)) throw error;
    services.log.error({ err: error, account: account.id }, 'audio assets could not be listed');
    throw refuse('failed');
  }
};

const writerFor =
  ({ account }: ListRequestContext) =>
  (row: AudioRow) =>
    formatAudioRecord(row, account.time_zone);
