/**
 * The process that speaks: espeak-ng (GPL-3.0), of the system or of npm, is started from here and nowhere else. It takes one
 * text at a time from its parent and answers with an 8 kHz WAV.
 */
import { resample } from '../sound/resample.ts';
import { speechSpeedFactorOfRate } from './speechPace.ts';
import { readWav, writeWav } from '../sound/wav.ts';
import { compileEspeakWasm, loadEspeak } from './espeakWasm.ts';
import type { CompiledEspeak, SpeakWithEspeak } from './espeakWasm.ts';
import { systemEspeak } from './systemEspeak.ts';

export interface SpeakRequest {
  text: string;
  /** espeak's own name of it. */
  voice: string;
  /** Pace from -6 to 6. */
  rate: number;
  /** Path of the system's program; absent: the npm package speaks. */
  program?: string;
}

export type SpeakReply = { wav: Uint8Array } | { refusal: string };

const TELEPHONE_RATE = 8000;

let compiled: Promise<CompiledEspeak> | undefined;
let loaded: SpeakWithEspeak | undefined;

const ofPackage = async (): Promise<SpeakWithEspeak> => loadEspeak(await (compiled ??= compileEspeakWasm()));

const answer = async ({ text, voice, rate, program }: SpeakRequest): Promise<SpeakReply> => {
  try {
    loaded ??= program === undefined ? await ofPackage() : systemEspeak(program);
    const { samples, sampleRate } = readWav(await loaded(text, voice, speechSpeedFactorOfRate(rate)));
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
