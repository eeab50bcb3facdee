/** Voices as the catalogue of speech is handed them. */
import type { StoredVoice, SpeechVoiceRepository } from '../../providers/speech/catalogue.ts';
import { builtInSpeechProvider, splitVoiceProviderAndName } from '../../rules/voice/voiceName.ts';
import type { VoiceRow, VoiceTable } from '../voices.ts';

/** Voices that an operator adds for all accounts stay beside the built-in ones; a third party's list is its own. */
export const speechVoiceRepository = (voices: VoiceTable): SpeechVoiceRepository => ({
  of: async (account) => (await voices.of(account)).map(storedVoice),
  keep: (provider, listed) =>
    voices.keep(
      provider,
      listed.map(({ name, ...voice }) => ({
        ...voice,
        provider,
        name: splitVoiceProviderAndName(name).voice,
      })),
      { only: provider !== builtInSpeechProvider },
    ),
});

const storedVoice = ({ gender, name, ...row }: VoiceRow): StoredVoice => ({
  ...row,
  name: `${row.provider}|${name}`,
  short: name,
  gender: gender === 'M' ? 'M' : 'F',
});
