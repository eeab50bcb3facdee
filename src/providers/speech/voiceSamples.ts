/**
 * Samples of voices (spec 2.6 `cdwv_sample`): an MP3 each, made when it is first fetched and kept in the media store
 * under an account number that no account has. They are fetched by signed links, like every other file.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sampleSentence } from './sampleSentence.ts';
import { singleflight } from '../../lib/singleflight.ts';
import { readWav } from '../sound/wav.ts';
import type { MediaStore } from '../contracts/media.ts';
import type { SignedMediaLinks } from '../media/links.ts';
import type { MediaFileHttpResponse, MediaFileRequest } from '../media/serve.ts';
import { Retryable, NotRetryable } from '../../engine/contract/performer.ts';
import { openMp3FileWriter } from '../sound/mp3File.ts';
import type { TextToSpeech } from '../contracts/speech.ts';

export interface VoiceSamples {
  /** Where a voice can be heard, good for a month. */
  urlOf(voice: number): string;
  /** Serves media, and has a sample made that is not there yet. */
  serving(
    serve: (request: MediaFileRequest) => Promise<MediaFileHttpResponse>,
  ): (request: MediaFileRequest) => Promise<VoiceSampleReply>;
}

/** 503: the synthesizer is away. */
export type VoiceSampleReply = MediaFileHttpResponse | { status: 503; headers: Record<string, string> };

export interface VoiceSamplesOptions {
  speech: Pick<TextToSpeech, 'speak'>;
  media: MediaStore;
  links: SignedMediaLinks;
  /** Full name and language of a voice; undefined when it is gone. */
  voice(id: number): Promise<{ name: string; language: string } | undefined>;
}

/** A number that no account has. */
const NO_ACCOUNT = 0;
const LINK_MS = 30 * 86_400_000;
const RETRY_SECONDS = '30';

export const createVoiceSampleService = ({
  speech,
  media,
  links,
  voice,
}: VoiceSamplesOptions): VoiceSamples => {
  /** False: there is no such voice, or it cannot be spoken. */
  const make = singleflight(
    async (id: number): Promise<boolean> => {
      const found = await voice(id);
      if (!found) return false;
      const spoken = await speech.speak(NO_ACCOUNT, {
        text: sampleSentence(found.language),
        voice: found.name,
      });
      const wav = await media.open(NO_ACCOUNT, spoken.media);
      if (!wav) throw new Retryable(`the sample of voice ${id} went while it was made`);
      await putMp3(media, idOf(id), await buffer(wav.stream));
      return true;
    },
    (id) => id,
  );

  /** What to answer instead of the file; undefined: the file is there. */
  const prepare = async (id: number): Promise<VoiceSampleReply | undefined> => {
    if (await media.stat(NO_ACCOUNT, idOf(id))) return undefined;
    try {
      return (await make(id)) ? undefined : { status: 404, headers: {} };
    } catch (error) {
      if (error instanceof NotRetryable) return { status: 404, headers: {} };
      if (error instanceof Retryable) return { status: 503, headers: { 'retry-after': RETRY_SECONDS } };
      throw error;
    }
  };

  return {
    urlOf: (id) => links.urlOf(NO_ACCOUNT, idOf(id), LINK_MS),
    serving: (serve) => async (request) => {
      const link = links.read(request.pathAndQuery);
      const id = link?.account === NO_ACCOUNT ? voiceOf(link.id) : undefined;
      return (id === undefined ? undefined : await prepare(id)) ?? serve(request);
    },
  };
};

const idOf = (voice: number): string => `voice-${voice}.mp3`;

const voiceOf = (media: string): number | undefined => {
  const [, id] = /^voice-(\d{1,10})\.mp3$/.exec(media) ?? [];
  return id === undefined ? undefined : Number(id);
};

const putMp3 = async (media: MediaStore, id: string, wav: Buffer): Promise<void> => {
  const { samples, sampleRate } = readWav(wav);
  const folder = await mkdtemp(join(tmpdir(), 'ramal-sample-'));
  try {
    const path = join(folder, 'sample.mp3');
    const file = await openMp3FileWriter(path, sampleRate);
    await file.write(samples);
    await file.close();
    await media.put(NO_ACCOUNT, id, createReadStream(path));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
