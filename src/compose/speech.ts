/** Wires speech together: the synthesizers, the catalogue of voices, and their samples. */
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Services } from '../operations/services.ts';
import type { MediaStore } from '../providers/contracts/media.ts';
import type { SignedMediaLinks } from '../providers/media/links.ts';
import { Retryable, NotRetryable } from '../engine/contract/performer.ts';
import type { TextToSpeech, Synthesizer } from '../providers/contracts/speech.ts';
import { type VoiceCatalogue, openVoiceCatalogue } from '../providers/speech/catalogue.ts';
import { openSpeechCache } from '../providers/speech/speechCache.ts';
import { espeakSynthesizer } from '../providers/speech/espeak.ts';
import { type EspeakInstallation, findEspeak, espeakProgramTitle } from '../providers/speech/findEspeak.ts';
import { createVoiceSampleService, type VoiceSamples } from '../providers/speech/voiceSamples.ts';
import { VoiceTable } from '../store/voices.ts';
import { audioIdOfFile } from '../wire/audioRecord.ts';
import type { Databases } from './databases.ts';
import { speechVoiceRepository } from '../store/repositories/voices.ts';

export interface SpeechVoiceServices {
  table: VoiceTable;
  catalogue: VoiceCatalogue;
  samples: VoiceSamples;
  /** Those that speak here. */
  providers: readonly string[];
  /** What speaks, for people. */
  spokenBy: string;
  /** Why none of our own voices speaks, as a sentence; undefined: they do. */
  cannotSpeak: string | undefined;
}

/** Why none of our own voices speaks: where the setting keeps espeak-ng out, the setting. */
const noEspeak = ({ path, package: mayBePackage }: Config['espeak']): string => {
  const why = !mayBePackage
    ? 'ESPEAK=none keeps espeak-ng out'
    : path === undefined
      ? 'ESPEAK=package finds no npm package espeak-ng'
      : 'no espeak-ng is installed here, neither the program nor the npm package';
  return `${why}: texts are refused, and audio files are played`;
};

export interface SpeechSynthesisDeps {
  config: Config;
  databases: Databases;
  media: MediaStore;
  /** Links for customers. */
  links: SignedMediaLinks;
  now: () => number;
  log: Log;
}

/** The caller has to call `voices.catalogue.start` when it starts the providers. */
export const openSpeechSynthesis = async (
  needs: SpeechSynthesisDeps,
): Promise<TextToSpeech & { voices: SpeechVoiceServices }> => {
  const { config, databases, media, links, now, log } = needs;
  const espeak = await findEspeak(config.espeak);
  const synthesizers = await synthesizersOf(config, espeak);
  if (espeak) log.info({ synthesizer: espeakProgramTitle(espeak) }, 'texts are spoken');
  else log.warn(noEspeak(config.espeak));
  const speech = await openSpeechCache({ media, synthesizers, nameOf: audioIdOfFile });
  const table = new VoiceTable(databases.control.prisma, now);
  const catalogue = openVoiceCatalogue({ repository: speechVoiceRepository(table), synthesizers, now, log });
  const voice = async (id: number) => {
    const row = await table.anyones(id);
    return row ? { name: `${row.provider}|${row.name}`, language: row.language } : undefined;
  };
  const samples = createVoiceSampleService({ speech, media, links, voice });
  const providers = synthesizers.map(({ provider }) => provider);
  const cannotSpeak = espeak ? undefined : noEspeak(config.espeak);
  const spokenBy = espeak ? espeakProgramTitle(espeak) : noEspeak(config.espeak);
  return { ...speech, voices: { table, catalogue, samples, providers, spokenBy, cannotSpeak } };
};

/** Loads what a cloud's voices need where there is one only. */
const synthesizersOf = async (
  { google }: Config,
  espeak: EspeakInstallation | undefined,
): Promise<Synthesizer[]> => {
  const own = espeak ? [espeakSynthesizer({ program: espeak.program })] : [];
  if (!google) return own;
  const { googleSynthesizer } = await import('../providers/speech/google.ts');
  return [...own, googleSynthesizer(google)];
};

/** Speech for operations: what a synthesizer throws becomes an outcome they can answer with. */
export const createSpeechServices = (
  speech: TextToSpeech & { voices: SpeechVoiceServices },
  log: Log,
): Pick<Services, 'voicesOf' | 'voiceNamed' | 'speak' | 'cannotSpeak'> => {
  const { catalogue, samples, cannotSpeak } = speech.voices;
  return {
    cannotSpeak,
    voicesOf: async (account) =>
      (await catalogue.voicesOf(account)).map((voice) => ({ ...voice, sampleUrl: samples.urlOf(voice.id) })),
    voiceNamed: (account, name) => catalogue.voiceNamed(account, name),
    async speak(account, utterance) {
      try {
        return { outcome: 'spoken', ...(await speech.speak(account, utterance)) };
      } catch (error) {
        if (!(error instanceof NotRetryable || error instanceof Retryable)) throw error;
        log.warn({ err: error, account, voice: utterance.voice }, 'a text could not be spoken');
        return { outcome: error instanceof NotRetryable ? 'refused' : 'away', why: error.message };
      }
    },
  };
};
