/**
 * The one file format that calls hear and record: RIFF WAVE, 16-bit linear PCM.
 * Reading is tolerant (extra chunks, sizes that a killed recorder never filled in); writing is canonical.
 */

export interface WavHeader {
  sampleRate: number;
  channels: number;
  bitsPerSample: number;
  /** Where the samples begin. */
  dataOffset: number;
  /** How many bytes of samples there are, as far as the file goes. */
  dataBytes: number;
  seconds: number;
}

/** Bytes of the header that `writeWav` makes. */
export const WAV_HEADER_BYTES = 44;

/**
 * Reads a header from the first bytes of a file (1 KiB is plenty) and the file's whole length.
 * Undefined when it is not PCM in a RIFF WAVE.
 */
export const readWavHeader = (head: Buffer, fileBytes: number): WavHeader | undefined => {
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (head.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let format: { sampleRate: number; channels: number; bitsPerSample: number } | undefined;
  for (let at = 12; at + 8 <= head.length;) {
    const name = head.toString('latin1', at, at + 4);
    const size = head.readUInt32LE(at + 4);
    const body = at + 8;
    if (name === 'fmt ' && body + 16 <= head.length) format = readFormat(head, body);
    if (name === 'data') return format && measured(format, body, size, fileBytes);
    at = body + size + (size % 2);
  }
  return undefined;
};

/** A mono file of these samples. */
export const writeWav = (samples: Int16Array, sampleRate: number): Buffer => {
  const file = Buffer.alloc(WAV_HEADER_BYTES + samples.length * 2);
  wavHeader(samples.length * 2, sampleRate).copy(file);
  for (let index = 0; index < samples.length; index++) {
    file.writeInt16LE(samples[index] ?? 0, WAV_HEADER_BYTES + index * 2);
  }
  return file;
};

/** The header of a mono 16-bit file with this many bytes of samples. */
export const wavHeader = (dataBytes: number, sampleRate: number): Buffer => {
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  return header;
};

/** The samples of a mono 16-bit file. Throws `TypeError` for anything else. */
export const readWav = (file: Buffer): { samples: Int16Array; sampleRate: number } => {
  const header = readWavHeader(file, file.length);
  if (!header || header.channels !== 1 || header.bitsPerSample !== 16) {
    throw new TypeError('not a mono 16-bit WAV');
  }
  const samples = new Int16Array(Math.floor(header.dataBytes / 2));
  for (let index = 0; index < samples.length; index++) {
    samples[index] = file.readInt16LE(header.dataOffset + index * 2);
  }
  return { samples, sampleRate: header.sampleRate };
};

const PCM = 1;
const EXTENSIBLE = 0xfffe;

const readFormat = (head: Buffer, at: number) => {
  const tag = head.readUInt16LE(at);
  if (tag !== PCM && tag !== EXTENSIBLE) return undefined;
  return {
    channels: head.readUInt16LE(at + 2),
    sampleRate: head.readUInt32LE(at + 4),
    bitsPerSample: head.readUInt16LE(at + 14),
  };
};

const measured = (
  format: { sampleRate: number; channels: number; bitsPerSample: number },
  dataOffset: number,
  size: number,
  fileBytes: number,
): WavHeader => {
  const dataBytes = Math.max(0, Math.min(size, fileBytes - dataOffset));
  const bytesPerSecond = (format.sampleRate * format.channels * format.bitsPerSample) / 8;
  return { ...format, dataOffset, dataBytes, seconds: bytesPerSecond > 0 ? dataBytes / bytesPerSecond : 0 };
};
