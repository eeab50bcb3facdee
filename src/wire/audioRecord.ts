/** The audio asset of the contract (spec 2.5). Odd on purpose: in the answer of CreateAudioFile three keys end in a blank. */
import { toLocal } from '../rules/localTime.ts';

/** `tf<id>`, as `content` parameters carry it. */
export const writeAudioId = (id: number): string => `tf${id}`;

/** What can be heard of a ttsvar; empty: there is no such sample. */
const writeTestId = (id: number, sample: string): string => (sample === '' ? '' : `tf${id}t`);

/** What both records are made of. */
export interface AudioFacts {
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

/** In the answer of CreateAudioFile. */
export const writeCreatedAudio = (audio: AudioFacts, zone: string): Record<string, string> => ({
  cdw_file: writeAudioId(audio.id),
  cdw_file_test: writeTestId(audio.id, audio.sample),
  cdw_name: audio.name,
  'cdw_sec ': writeSeconds(audio.seconds),
  'cdw_expires ': writeExpiry(audio.expires_at, zone),
  'cdw_type ': audio.type,
});

export interface AudioRecord {
  cdw_file: string;
  cdw_file_test: string;
  cdw_name: string;
  cdw_sec: string;
  cdw_date: string;
  cdw_expires: string;
  cdw_type: string;
}

/** In the list of GetAudiosList. A campaign that plays it may keep it longer than it was to stay. */
export const writeAudioRecord = (
  audio: AudioFacts & { created_at: number; kept_until: string | null },
  zone: string,
): AudioRecord => {
  const expires = writeExpiry(audio.expires_at, zone);
  const kept = audio.kept_until ?? '';
  return {
    cdw_file: writeAudioId(audio.id),
    cdw_file_test: writeTestId(audio.id, audio.sample),
    cdw_name: audio.name,
    cdw_sec: writeSeconds(audio.seconds),
    cdw_date: toLocal(audio.created_at, zone).date,
    cdw_expires: kept > expires ? kept : expires,
    cdw_type: audio.type,
  };
};
