/**
 * The process that speaks: espeak-ng (WebAssembly, GPL-3.0) lives here and nowhere else. It takes one text at a time
 * from its parent and answers with an 8 kHz WAV.
 */
import { resample } from '../sound/resample.ts';
import { paceOf } from './speechPace.ts';
import { readWav, writeWav } from '../sound/wav.ts';
import { compileEspeak, loadEspeak } from './espeakProgram.ts';
import type { EspeakProgram } from './espeakProgram.ts';

export interface SpeakRequest {
  text: string;
  /** espeak's own name of it. */
  voice: string;
  /** Pace from -6 to 6. */
  rate: number;
}

export type SpeakReply = { wav: Uint8Array } | { refusal: string };

const TELEPHONE_RATE = 8000;

const compiled = compileEspeak();
let loaded: EspeakProgram | undefined;

const answer = async ({ text, voice, rate }: SpeakRequest): Promise<SpeakReply> => {
  try {
    loaded ??= await loadEspeak(await compiled);
    const { samples, sampleRate } = readWav(loaded(text, voice, paceOf(rate)));
    return { wav: writeWav(resample(samples, sampleRate, TELEPHONE_RATE), TELEPHONE_RATE) };
  } catch (error) {
    loaded = undefined;
    return { refusal: error instanceof Error ? error.message : String(error) };
  }
};

process.on('message', (request: SpeakRequest) => {
  void answer(request).then((reply) => process.send?.(reply));
});
process.on('disconnect', () => process.exit(0));
