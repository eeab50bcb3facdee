/** A voice as the interface shows it (spec 2.6). */

/** A voice that an account may name. */
export interface NamableVoice {
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

export interface VoiceRecord {
  cdwv_id: number;
  cdwv_name: string;
  cdwv_tit: string;
  cdwv_short: string;
  cdwv_type: string;
  cdwv_language: string;
  cdwv_genre: 'F' | 'M';
  cdwv_company: string;
  cdwv_sample: string;
}

export const writeVoiceRecord = (voice: NamableVoice): VoiceRecord => ({
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
