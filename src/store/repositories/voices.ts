/** Voices as the catalogue of speech is handed them. */
import type { BookedVoice, VoiceBook } from '../../providers/speech/catalogue.ts';
import { builtInProvider, readVoiceName } from '../../rules/voice/voiceName.ts';
import type { VoiceRow, VoiceTable } from '../voices.ts';

/** Voices that an operator adds for all accounts stay beside the built-in ones; a third party's list is its own. */
export const voiceRepository = (voices: VoiceTable): VoiceBook => ({
  of: async (account) => (await voices.of(account)).map(bookedVoice),
  keep: (provider, listed) =>
    voices.keep(
      provider,
      listed.map(({ name, ...voice }) => ({ ...voice, provider, name: readVoiceName(name).voice })),
      { only: provider !== builtInProvider },
    ),
});

const bookedVoice = ({ gender, name, ...row }: VoiceRow): BookedVoice => ({
  ...row,
  name: `${row.provider}|${name}`,
  short: name,
  gender: gender === 'M' ? 'M' : 'F',
});
