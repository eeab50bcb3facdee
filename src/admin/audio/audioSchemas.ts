/** An audio asset as the admin API shows it, and how its id is written. */
import * as z from 'zod';
import type { AudioRow } from '../../store/reads/audio/audios.ts';
import { formatAudioId } from '../../wire/audioRecord.ts';
import { notFound, parsePathId } from '../adminErrorsAndRequestParsing.ts';
import type { AudioFileLinks } from '../deps.ts';
import { at, maxRecordId } from '../fieldSchemas.ts';

export const audioSchema = z.object({
  id: z.int(),
  name: z.string(),
  file_name: z.string(),
  type: z.string().describe('tts, upload, rec or ttsvar.'),
  text: z.string(),
  voice: z.string(),
  rate: z.number(),
  seconds: z.number(),
  group_id: z.int().nullable(),
  visible: z.boolean().describe('GetAudiosList shows it.'),
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

export const audioExample: z.output<typeof audioSchema> = {
  ...{ id: 1, name: 'welcome', file_name: 'welcome.wav', type: 'upload', text: '', voice: '' },
  ...{ rate: 0, seconds: 4.2, group_id: null, visible: true, created_at: 1_795_325_744_421 },
  ...{ expires_at: 1_803_101_744_421, kept_until: null, cdw_file: 'tf1' },
  ...{ url: 'http://localhost:8080/media/3/1.wav', mp3_url: '' },
};

/** `tf12` or `12`, as a path writes it. Throws a 404. */
export const audioIdInPath = z
  .string()
  .transform((written) => {
    const id = parsePathId(written.replace(/^tf/, ''), 'audio');
    if (id > maxRecordId) throw notFound(`audio ${id}`);
    return id;
  })
  .meta({ json: { type: 'string', pattern: '^(tf)?[0-9]+$' } });

/** `url`: the WAV, or the sample of a ttsvar; empty: there is none. */
export const toAudioAnswer = ({ urlOf }: AudioFileLinks, account: number, row: AudioRow) => {
  const { wav, mp3, sample, ...plain } = row;
  const addressOf = (media: string): string => (media === '' ? '' : urlOf(account, media));
  return {
    ...plain,
    cdw_file: formatAudioId(row.id),
    url: addressOf(wav || sample),
    mp3_url: addressOf(mp3),
  };
};
