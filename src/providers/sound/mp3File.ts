/** Writes an MP3 as its samples come: LAME as WebAssembly. */
import { open } from 'node:fs/promises';
import { resampler } from './resample.ts';
import type { SoundFileWriter } from './soundFile.ts';

/** Players know MP3 of less only by hearsay. */
const LEAST_RATE = 16_000;
/** Plenty for one voice, kbit/s. */
const BITRATE = 48;

export const openMp3FileWriter = async (path: string, sampleRate: number): Promise<SoundFileWriter> => {
  const rate = Math.max(sampleRate, LEAST_RATE);
  const stage = resampler(sampleRate, rate);
  // Loaded where it is used: a service that makes no sound starts without it.
  const { createMp3Encoder } = await import('wasm-media-encoders');
  const encoder = await createMp3Encoder();
  encoder.configure({ channels: 1, sampleRate: rate, bitrate: BITRATE });
  const file = await open(path, 'wx', 0o600);
  const write = async (samples: Int16Array): Promise<void> => {
    if (samples.length > 0) await file.write(encoder.encode([Float32Array.from(samples, (n) => n / 32_768)]));
  };
  return {
    write: (part) => write(stage.push(part)),
    async close() {
      await write(stage.end());
      await file.write(encoder.finalize());
      await file.close();
    },
  };
};
