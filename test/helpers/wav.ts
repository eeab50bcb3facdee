/** Makes and measures the one kind of sound the service knows: 8 kHz, 16 bit, mono. */
import { writeWav } from '../../src/providers/sound/wav.ts';

const rate = 8000;

/** Samples of a tone. `hertz` default 400, `sampleRate` default 8000. */
export const aTone = (seconds: number, { hertz = 400, sampleRate = rate, level = 8000 } = {}): Int16Array =>
  Int16Array.from({ length: Math.round(seconds * sampleRate) }, (_, n) =>
    Math.round(level * Math.sin((2 * Math.PI * hertz * n) / sampleRate)),
  );

/** Samples of nothing. */
export const someSilence = (seconds: number, sampleRate = rate): Int16Array =>
  new Int16Array(Math.round(seconds * sampleRate));

/** A WAV file of this length; a 400 Hz tone, or nothing. */
export const aWav = (seconds: number, sound: 'tone' | 'silence' = 'tone'): Buffer =>
  writeWav(sound === 'tone' ? aTone(seconds) : someSilence(seconds), rate);

export interface Measured {
  seconds: number;
  /** Loudest sample, 0 to 32768. */
  peak: number;
}

/** Reads a WAV by its chunks, as a player would. Throws when a player could not. */
export const measureWav = (file: Buffer): Measured => {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') {
    throw new Error('not a WAV file');
  }
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= file.length;) {
    const chunk = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    if (chunk === 'fmt ') bytesPerSecond = file.readUInt32LE(at + 16);
    if (chunk === 'data') {
      const data = file.subarray(at + 8, at + 8 + size);
      if (data.length !== size || bytesPerSecond === 0) throw new Error('the WAV file is cut off');
      return { seconds: size / bytesPerSecond, peak: loudest(data) };
    }
    at += 8 + size + (size % 2);
  }
  throw new Error('the WAV file has no sound chunk');
};

const loudest = (data: Buffer): number => {
  let peak = 0;
  for (let at = 0; at + 1 < data.length; at += 2) peak = Math.max(peak, Math.abs(data.readInt16LE(at)));
  return peak;
};
