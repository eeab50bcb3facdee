/**
 * Google Cloud Text-to-Speech (REST v1) behind the synthesizer contract: `GET v1/voices`, `POST v1/text:synthesize`.
 * A text longer than one request may carry is spoken in pieces, one after the other.
 */
import * as z from 'zod';
import { resample } from '../sound/resample.ts';
import { speechSpeedFactorOfRate } from './speechPace.ts';
import { splitText } from './splitText.ts';
import { readWav, writeWav } from '../sound/wav.ts';
import { Retryable, NotRetryable } from '../../engine/contract/performer.ts';
import type { Synthesizer, Utterance } from '../contracts/speech.ts';
import { openGoogleSpeechClient } from './google/client.ts';
import type { GoogleSpeechOptions } from './google/client.ts';
import { parseGoogleVoices } from './google/parseGoogleVoices.ts';

const GOOGLE = 'Google';

const TELEPHONE_RATE = 8000;
/** Of the text in one request, in UTF-8. */
const REQUEST_BYTES = 5000;
/** Texts under way or waiting at a time. */
const WAITING = 1000;

const synthesis = z.object({ audioContent: z.string().min(1) });

/** Offers Google's voices. Nothing is sent before the first voice or text is asked for. */
export const googleSynthesizer = (options: GoogleSpeechOptions): Synthesizer => {
  const google = openGoogleSpeechClient(options);
  let underWay = 0;

  const speakPart = async (text: string, { voice, rate }: Required<Utterance>): Promise<Int16Array> => {
    const answer = await google.ask('POST', '/v1/text:synthesize', {
      input: { text },
      voice: { languageCode: languageOf(voice), name: voice },
      audioConfig: {
        audioEncoding: 'LINEAR16',
        sampleRateHertz: TELEPHONE_RATE,
        speakingRate: Math.round(speechSpeedFactorOfRate(rate) * 1000) / 1000,
      },
    });
    return samplesOf(answer);
  };

  const speakAll = async (utterance: Required<Utterance>): Promise<Buffer> => {
    const parts: Int16Array[] = [];
    for (const text of splitText(utterance.text, REQUEST_BYTES)) parts.push(await speakPart(text, utterance));
    return writeWav(joined(parts), TELEPHONE_RATE);
  };

  return {
    provider: GOOGLE,

    voices: async () => parseGoogleVoices(GOOGLE, await google.ask('GET', '/v1/voices')),

    async speak(utterance) {
      if (underWay >= WAITING) throw new Retryable(`${underWay} texts wait to be spoken by Google`);
      underWay += 1;
      try {
        return await speakAll(utterance);
      } finally {
        underWay -= 1;
      }
    },

    stop: () => google.close(),
  };
};

/** The language that a voice's name begins with: `pt-BR-Wavenet-A`. Throws `NotRetryable` when there is none. */
const languageOf = (voice: string): string => {
  const language = /^[a-z]{2,3}-[a-z0-9]{2,4}(?=-)/i.exec(voice)?.[0];
  if (language === undefined) throw new NotRetryable('unknownVoice', `Google has no voice "${voice}"`);
  return language;
};

const samplesOf = (answer: unknown): Int16Array => {
  const read = synthesis.safeParse(answer);
  if (!read.success) throw new Retryable('Google answered without sound');
  try {
    const { samples, sampleRate } = readWav(Buffer.from(read.data.audioContent, 'base64'));
    return resample(samples, sampleRate, TELEPHONE_RATE);
  } catch (cause) {
    throw new Retryable('Google answered with something that is no WAV', { cause });
  }
};

const joined = (parts: readonly Int16Array[]): Int16Array => {
  const all = new Int16Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};
