/** The audio asset of the contract (spec 2.5). Odd on purpose: in the answer of CreateAudioFile three keys end in a blank. */
import * as z from 'zod';
import { toLocal } from '../lib/localTime.ts';
import { day } from './shapes.ts';

/** `tf<id>`, as `content` parameters carry it. */
export const formatAudioId = (id: number): string => `tf${id}`;

/** What can be heard of a ttsvar; empty: there is no such sample. */
const writeTestId = (id: number, sample: string): string => (sample === '' ? '' : `tf${id}t`);

/** The asset that a file belongs to, as `content` parameters name it; the file itself when it belongs to none. */
export const audioIdOfFile = (media: string): string => {
  const [, id, sample] = /^audio-(\d+)(-sample)?$/.exec(media) ?? [];
  return id === undefined ? media : `tf${id}${sample ? 't' : ''}`;
};

/** What both records are made of. */
export interface AudioAnswerInput {
  id: number;
  name: string;
  type: string;
  sample: string;
  seconds: number;
  /** Epoch milliseconds. */
  expires_at: number;
}

/** The last whole or begun day on which it can be played. */
const writeExpiry = (expiresAt: number, zone: string): string => toLocal(expiresAt - 1, zone).date;

/** Milliseconds are as exact as it was measured. */
const writeSeconds = (seconds: number): string => String(Math.round(seconds * 1000) / 1000);

const audioId = z
  .string()
  .regex(/^tf\d+$/)
  .describe('Audio file id, as the content parameters take it.');
const testId = z
  .string()
  .regex(/^(tf\d+t)?$/)
  .describe('Id of the sample of a ttsvar; empty: none.');
const seconds = z.string().regex(/^\d+(\.\d{1,3})?$/);
const type = z.enum(['tts', 'upload', 'rec', 'ttsvar']);

/** In the answer of CreateAudioFile. */
export const createdAudioSchema = z.object({
  cdw_file: audioId,
  cdw_file_test: testId,
  cdw_name: z.string().describe('Friendly name.'),
  'cdw_sec ': seconds.describe('Seconds. The key ends in a blank.'),
  'cdw_expires ': day('Last day, YYYY-MM-DD. The key ends in a blank.'),
  'cdw_type ': type.describe('Kind. The key ends in a blank.'),
});

export const buildCreateAudioFileAnswer = (
  audio: AudioAnswerInput,
  zone: string,
): z.output<typeof createdAudioSchema> => ({
  cdw_file: formatAudioId(audio.id),
  cdw_file_test: writeTestId(audio.id, audio.sample),
  cdw_name: audio.name,
  'cdw_sec ': writeSeconds(audio.seconds),
  'cdw_expires ': writeExpiry(audio.expires_at, zone),
  'cdw_type ': audio.type as AudioApiRecord['cdw_type'],
});

/** In the list of GetAudiosList. */
export const audioRecordSchema = z.object({
  cdw_file: audioId,
  cdw_file_test: testId,
  cdw_name: z.string().describe('Friendly name.'),
  cdw_sec: seconds.describe('Seconds.'),
  cdw_date: day('Day of its making, YYYY-MM-DD.'),
  cdw_expires: day('Last day, YYYY-MM-DD; later while an active campaign plays it.'),
  cdw_type: type.describe('Kind.'),
});
export type AudioApiRecord = z.output<typeof audioRecordSchema>;

/** A campaign that plays it may keep it longer than it was to stay. */
export const formatAudioRecord = (
  audio: AudioAnswerInput & { created_at: number; kept_until: string | null },
  zone: string,
): AudioApiRecord => {
  const expires = writeExpiry(audio.expires_at, zone);
  const kept = audio.kept_until ?? '';
  return {
    cdw_file: formatAudioId(audio.id),
    cdw_file_test: writeTestId(audio.id, audio.sample),
    cdw_name: audio.name,
    cdw_sec: writeSeconds(audio.seconds),
    cdw_date: toLocal(audio.created_at, zone).date,
    cdw_expires: kept > expires ? kept : expires,
    cdw_type: audio.type as AudioApiRecord['cdw_type'],
  };
};
