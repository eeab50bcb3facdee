/** The account's audio assets, newest first (spec 4.9): those that are visible and have not expired. */
import * as z from 'zod';
import { isAway } from '../store/away.ts';
import { type AudioQuery, type AudioRow, findAudios } from '../store/reads/audios.ts';
import { audioRecord, writeAudioRecord } from '../wire/audioRecord.ts';
import { type Asked, noKeys, operation, params, type Success } from './declare.ts';
import { int, oneOf, text } from './fields.ts';

const listParams = params({
  type: {
    rest: 'type',
    schema: oneOf(['todas', 'tts', 'upload', 'rec', 'ttsvar']).default('todas'),
    says: 'Kind of asset; todas is all of them.',
  },
  search: {
    rest: 'search',
    schema: text(200).optional(),
    says: 'In name, id and text, whatever case and accents.',
  },
  limit: {
    rest: 'maxreg',
    schema: int(1, 2 ** 31 - 1).default(100),
    says: 'Most assets of the answer.',
  },
});

const listErrors = {
  failed: { code: '500', text: 'internal error: the database could not answer', http: 500 },
} as const;

type ListAsked = Asked<typeof listParams, typeof listErrors>;

/** Answers longer than this are written as they are read. */
const pageSize = 1_000;

export const GetAudiosList = operation({
  name: 'GetAudiosList',
  section: '4.9',
  topic: 'audio',
  summary: 'Audio assets, newest first.',
  permission: 'telephony',
  creates: false,
  params: listParams,
  errors: listErrors,
  answer: { fields: noKeys, beside: z.object({ audios: z.array(audioRecord) }) },
  failure: { fields: {}, beside: { audios: [] } },
  example: {
    request: { tsid: 'DEMO0token0DEMO0token0DEMO0tok', search: 'aviso' },
    response: {
      return: { status: 'OK', status_code: '0' },
      audios: [
        {
          cdw_file: 'tf12', cdw_file_test: '', cdw_name: 'Aviso', cdw_sec: '2.318', cdw_date: '2026-11-20',
          cdw_expires: '2026-11-21', cdw_type: 'tts',
        },
      ],
    },
  }, // prettier-ignore

  async handle(asked) {
    const { limit } = asked.params;
    if (limit > pageSize) return { stream: streamPages(asked) };
    const rows = await read(asked, { limit });
    return { beside: { audios: rows.map(writerFor(asked)) } } satisfies Success;
  },
});

/** A database that is away passes, and is answered 503; one that errs is code 500. */
const read = async (
  { account, params: given, services, refuse }: ListAsked,
  page: Pick<AudioQuery, 'limit' | 'belowId'>,
): Promise<AudioRow[]> => {
  const query: AudioQuery = {
    account: account.id,
    at: services.engine.now(account.shard),
    ...(given.type !== 'todas' && { type: given.type }),
    search: given.search?.trim() || undefined,
    ...page,
  };
  try {
    return await findAudios(services.database(account.shard), query);
  } catch (error) {
    if (isAway(error)) throw error;
    services.log.error({ err: error, account: account.id }, 'audio assets could not be listed');
    throw refuse('failed');
  }
};

const writerFor =
  ({ account }: ListAsked) =>
  (row: AudioRow) =>
    writeAudioRecord(row, account.time_zone);

/** A long answer as JSON text: pages by key, each read when the one before has been taken. */
async function* streamPages(asked: ListAsked): AsyncGenerator<string> {
  const write = writerFor(asked);
  let left = asked.params.limit;
  let belowId: number | undefined;
  let rows: AudioRow[] = [];
  for (let first = true; left > 0; left -= rows.length, first = false) {
    const limit = Math.min(pageSize, left);
    rows = await read(asked, { limit, belowId });
    const part = rows.map((row) => JSON.stringify(write(row))).join(',');
    yield `${first ? '{"audios":[' : rows.length > 0 ? ',' : ''}${part}`;
    if (rows.length < limit) break;
    belowId = rows.at(-1)!.id;
  }
  yield '],"return":{"status":"OK","status_code":"0"}}';
}
