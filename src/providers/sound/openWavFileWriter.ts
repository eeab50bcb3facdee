/** Writes a telephone's WAV as its samples come; how long it is stands in its head at the end. */
import { type FileHandle, open } from 'node:fs/promises';
import { resampler } from './resample.ts';
import { WAV_HEADER_BYTES, wavHeader } from './wav.ts';
import type { SoundFileWriter } from './soundFile.ts';

const TELEPHONE_RATE = 8000;

export const openWavFileWriter = async (
  path: string,
  sampleRate: number,
): Promise<SoundFileWriter & { seconds(): number }> => {
  const file = await open(path, 'wx', 0o600);
  await file.write(wavHeader(0, TELEPHONE_RATE));
  const stage = resampler(sampleRate, TELEPHONE_RATE);
  let samples = 0;
  const write = async (part: Int16Array): Promise<void> => {
    samples += part.length;
    await writeSamples(file, part);
  };
  return {
    write: (part) => write(stage.push(part)),
    async close() {
      await write(stage.end());
      await file.write(wavHeader(samples * 2, TELEPHONE_RATE), 0, WAV_HEADER_BYTES, 0);
      await file.close();
    },
    seconds: () => samples / TELEPHONE_RATE,
  };
};

const writeSamples = async (file: FileHandle, samples: Int16Array): Promise<void> => {
  const bytes = Buffer.alloc(samples.length * 2);
  for (let index = 0; index < samples.length; index++) bytes.writeInt16LE(samples[index]!, index * 2);
  await file.write(bytes);
};
