/** Decoded sound on disk, at a rate that can be encoded: what is done to it must know its end before its start. */
import { open } from 'node:fs/promises';
import { createAudibleRangeFinder } from './loudness.ts';
import { resampler } from './resample.ts';
import type { AudioSampleProcessor } from './soundStage.ts';
import { type DecodedAudioPart, NotAudioError } from './decoded.ts';

export interface PcmSpool {
  path: string;
  /** Hz. */
  sampleRate: number;
  samples: number;
  loudness: ReturnType<typeof createAudibleRangeFinder>;
}

/** The sound is longer than it may be. */
export class AudioTooLongError extends Error {}

/** Rates that MP3 knows and that are enough for speech. */
const RATES = [8000, 11_025, 12_000, 16_000, 22_050, 24_000];
const LOWEST_RATE = 4000;
const HIGHEST_RATE = 192_000;
/** Less than this is no sound, seconds: noise may look like a frame of MP3 by chance. */
const SHORTEST_SECONDS = 0.1;

/** Writes the parts one after another. Throws `NotAudioError` when there is next to nothing, `AudioTooLongError` when there is too much. */
export const writePcmSpool = async (
  parts: AsyncIterable<DecodedAudioPart>,
  path: string,
  maxSeconds: number,
  /** Called between the parts; throws when enough is enough. */
  check: () => void,
): Promise<PcmSpool> => {
  const file = await open(path, 'wx', 0o600);
  let written: PcmSpool | undefined;
  const write = async (samples: Int16Array): Promise<void> => {
    if (!written || samples.length === 0) return;
    written.loudness.hear(samples);
    written.samples += samples.length;
    if (written.samples > maxSeconds * written.sampleRate) throw new AudioTooLongError();
    await file.write(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
  };
  let stage: (AudioSampleProcessor & { from: number }) | undefined;
  try {
    for await (const { samples, sampleRate: from } of parts) {
      check();
      written ??= aSpool(path, spoolRate(from));
      if (stage?.from !== from) {
        if (stage) await write(stage.end());
        stage = { ...resampler(from, written.sampleRate), from };
      }
      await write(stage.push(samples));
    }
    if (stage) await write(stage.end());
  } finally {
    await file.close();
  }
  if (!written || written.samples < SHORTEST_SECONDS * written.sampleRate)
    throw new NotAudioError('there is no sound in it');
  return written;
};

const aSpool = (path: string, sampleRate: number): PcmSpool => ({
  path,
  sampleRate,
  samples: 0,
  loudness: createAudibleRangeFinder(sampleRate),
});

/** The rate itself, a half or a fourth of it, or the next above: as little as possible is made up or lost. */
const spoolRate = (from: number): number => {
  if (!(from >= LOWEST_RATE && from <= HIGHEST_RATE))
    throw new NotAudioError(`${from} samples a second are not usual`);
  const highest = RATES.at(-1)!;
  const part = [1, 2, 4].map((divisor) => from / divisor).find((rate) => RATES.includes(rate));
  return part ?? RATES.find((rate) => rate >= from) ?? highest;
};
