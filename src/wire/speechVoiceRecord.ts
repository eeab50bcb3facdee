/** A voice as the interface shows it (spec 2.6). */
import * as z from 'zod';

/** A voice that an account may name. */
export interface SelectableVoice {
  id: number;
  /** `Provider|VoiceName`. */
  name: string;
  /** The name without provider. */
  short: string;
  title: string;
  /** E.g. `tts`. */
  type: string;
  /** E.g. `pt-BR`. */
  language: string;
  gender: 'F' | 'M';
  provider: string;
  /** Where it can be heard. */
  sampleUrl: string;
}

export const speechVoiceRecordSchema = z.object({
  cdwv_id: z.int().describe('Voice id.'),
  cdwv_name: z.string().describe('`Provider|VoiceName`, as the parameter `voice` takes it.'),
  cdwv_tit: z.string().describe('Title.'),
  cdwv_short: z.string().describe('Name without provider.'),
  cdwv_type: z.string().describe('Type, `tts`.'),
  cdwv_language: z.string().describe('Language, as pt-BR.'),
  cdwv_genre: z.enum(['F', 'M']).describe('F or M.'),
  cdwv_company: z.string().describe('Provider.'),
  cdwv_sample: z.string().describe('Address of an MP3 sample.'),
});
export type SpeechVoiceApiRecord = z.output<typeof speechVoiceRecordSchema>;

export const formatSpeechVoiceRecord = (voice: SelectableVoice): SpeechVoiceApiRecord => ({
  cdwv_id: voice.id,
  cdwv_name: voice.name,
  cdwv_tit: voice.title,
  cdwv_short: voice.short,
  cdwv_type: voice.type,
  cdwv_language: voice.language,
  cdwv_genre: voice.gender,
  cdwv_company: voice.provider,
  cdwv_sample: voice.sampleUrl,
});
