/** Makes and measures the one kind of sound the service knows: 8 kHz, 16 bit, mono. */

const rate = 8000;

/** A WAV file of this length; a 400 Hz tone, or nothing. */
export const aWav = (seconds: number, sound: 'tone' | 'silence' = 'tone'): Buffer => {
  const samples = Math.round(seconds * rate);
  const file = Buffer.alloc(44 + samples * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + samples * 2, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples * 2, 40);
  if (sound === 'tone') {
    for (let n = 0; n < samples; n += 1) {
      file.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * 400 * n) / rate)), 44 + n * 2);
    }
  }
  return file;
};

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
