/** An account's audio assets, each with addresses under which it can be listened to. */
import * as z from 'zod';
import { mediaIdsOfAudioAsset, removeAudio } from '../../store/writeAudioAssets.ts';
import { type AudioRow, findAudios } from '../../store/reads/audio/audios.ts';
import { type Use, usesOfAudio } from '../../store/reads/listAndAudioUses.ts';
import { formatAudioId } from '../../wire/audioRecord.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AudioFileLinks } from '../deps.ts';
import { at, idCursorField, neverRefusedQueryField, maxRecordId } from '../fieldSchemas.ts';
import { notFound, parsePathId } from '../adminErrorsAndRequestParsing.ts';
import { refuseInUse } from '../uses.ts';

const pageSize = 500;

const record = z.object({
  id: z.int(),
  name: z.string(),
  file_name: z.string(),
  type: z.string().describe('tts, upload, rec or ttsvar.'),
  text: z.string(),
  voice: z.string(),
  rate: z.number(),
  seconds: z.number(),
  group_id: z.int().nullable(),
  visible: z.boolean(),
  created_at: at,
  expires_at: at,
  kept_until: z
    .string()
    .nullable()
    .describe('Last day of an active campaign that plays it: until then it stays.'),
  cdw_file: z.string(),
  url: z.string().describe('The WAV, or the sample of a ttsvar; empty: there is none.'),
  mp3_url: z.string(),
});

/** `tf12` or `12`, as a path writes it. Throws a 404. */
const audioId = z
  .string()
  .transform((written) => {
    const id = parsePathId(written.replace(/^tf/, ''), 'audio');
    if (id > maxRecordId) throw notFound(`audio ${id}`);
    return id;
  })
  .meta({ json: { type: 'string', pattern: '^(tf)?[0-9]+$' } });

export const audioRoutes = {
  'GET /accounts/:account/audios': defineRoute({
    role: 'operator',
    summary: 'Lists the audio of an account, newest first, hidden ones too.',
    scope: accountInPath,
    query: z.object({ cursor: idCursorField() }),
    answer: z.object({
      audios: z.array(record),
      cursor: z.int().nullable().describe('As `?cursor=` takes it; null: the last page.'),
    }),
    example: {
      answer: {
        audios: [
          {
            ...{ id: 1, name: 'welcome', file_name: 'welcome.wav', type: 'upload', text: '', voice: '' },
            ...{ rate: 0, seconds: 4.2, group_id: null, visible: true, created_at: 1_795_325_744_421 },
            ...{ expires_at: 1_803_101_744_421, kept_until: null, cdw_file: 'tf1' },
            ...{ url: 'http://localhost:8080/media/3/1.wav', mp3_url: '' },
          },
        ],
        cursor: null,
      },
    },
    handle: async ({ deps, account: { id: account, shard }, query: { cursor } }) => {
      const rows = await findAudios(deps.pool(shard), {
        account,
        at: deps.now(),
        hidden: true,
        ...(cursor !== undefined && { belowId: Math.min(cursor, maxRecordId) }),
        limit: pageSize + 1,
      });
      const page = rows.slice(0, pageSize);
      return {
        audios: page.map((row) => shown(deps.audios, account, row)),
        cursor: rows.length > pageSize ? page.at(-1)!.id : null,
      };
    },
  }),
  // The files go first: what a crash leaves is a row, which can be deleted again.
  'DELETE /accounts/:account/audios/:audio': defineRoute({
    role: 'admin',
    summary: 'Deletes an audio that nothing needs any more.',
    scope: accountInPath,
    path: z.object({ audio: audioId }),
    query: z.object({
      force: neverRefusedQueryField.describe(
        '`1`: also one that paused campaigns and waiting calls would play.',
      ),
    }),
    refuses: { 409: 'It is in use; the answer says by what.' },
    example: { query: { force: '1' } },
    handle: async ({ deps, account: { id: account, shard }, path: { audio: id }, query }) => {
      const files = mediaIdsOfAudioAsset(id).all;
      const uses = await usesOfAudio(deps.pool(shard), account, id, files);
      refuseInUse(`audio ${id}`, query.force === '1' ? uses.filter(isDialling) : uses, shard);
      await deps.audios.forget(account, files);
      if (!(await removeAudio(deps.pool(shard), account, id))) throw notFound(`audio ${id}`);
    },
  }),
};

/**
 * A campaign that is paused is not activated without its audio, and a call that waits ends without it: no call plays
 * silence.
 */
const isDialling = ({ what, state }: Use): boolean => what === 'campaign' && state !== 'paused';

/** `url`: the WAV, or the sample of a ttsvar; empty: there is none. */
const shown = ({ urlOf }: AudioFileLinks, account: number, row: AudioRow) => {
  const { wav, mp3, sample, ...plain } = row;
  const addressOf = (media: string): string => (media === '' ? '' : urlOf(account, media));
  return {
    ...plain,
    cdw_file: formatAudioId(row.id),
    url: addressOf(wav || sample),
    mp3_url: addressOf(mp3),
  };
};
