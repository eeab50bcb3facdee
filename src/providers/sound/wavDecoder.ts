/** WAV files of every plain kind: linear of 8 to 32 bits, floating point, A-law and µ-law. Read by ourselves. */
import { type FileHandle, open } from 'node:fs/promises';
import { type DecodeAudioFile, type DecodedAudioPart, mixDownToMono, NotAudioError } from './decoded.ts';
import { sampleReaderOf } from './wavSamples.ts';

const PART_BYTES = 64 * 1024;
const HEAD_BYTES = 64 * 1024;
const MOST_CHANNELS = 8;

interface Format {
  channels: number;
  sampleRate: number;
  bytesPerSample: number;
  read: (bytes: Buffer, at: number) => number;
  dataOffset: number;
  dataBytes: number;
}

export const decodeWav: DecodeAudioFile = async function* (path) {
  const file = await open(path, 'r');
  try {
    const format = await readFormat(file);
    if (!format) throw new NotAudioError('a WAV file of a kind that cannot be read');
    yield* partsOf(file, format);
  } finally {
    await file.close();
  }
};

/** Whether `decodeWav` can read it, from its first bytes; other kinds of WAV need another decoder. */
export const isPlainWav = (head: Buffer): boolean => formatOf(head, Number.MAX_SAFE_INTEGER) !== undefined;

const readFormat = async (file: FileHandle): Promise<Format | undefined> => {
  const { size } = await file.stat();
  const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(size, HEAD_BYTES)), 0, undefined, 0);
  return formatOf(buffer.subarray(0, bytesRead), size);
};

const formatOf = (head: Buffer, fileBytes: number): Format | undefined => {
  let sound: Omit<Format, 'dataOffset' | 'dataBytes'> | undefined;
  for (let at = 12; at + 8 <= head.length;) {
    const name = head.toString('latin1', at, at + 4);
    const size = head.readUInt32LE(at + 4);
    const dataOffset = at + 8;
    if (name === 'fmt ' && dataOffset + 16 <= head.length) sound = soundOf(head.subarray(dataOffset));
    if (name === 'data') {
      const there = Math.max(0, fileBytes - dataOffset);
      // Who wrote it as a stream, or was killed, did not come back to say how long it is.
      return sound && { ...sound, dataOffset, dataBytes: size === 0 ? there : Math.min(size, there) };
    }
    at = dataOffset + size + (size % 2);
  }
  return undefined;
};

const EXTENSIBLE = 0xfffe;

const soundOf = (fmt: Buffer): Omit<Format, 'dataOffset' | 'dataBytes'> | undefined => {
  const tag = fmt.readUInt16LE(0);
  const channels = fmt.readUInt16LE(2);
  const sampleRate = fmt.readUInt32LE(4);
  const bits = fmt.readUInt16LE(14);
  const real = tag === EXTENSIBLE && fmt.length >= 26 ? fmt.readUInt16LE(24) : tag;
  const read = sampleReaderOf(real, bits);
  return read && channels >= 1 && channels <= MOST_CHANNELS
    ? { channels, sampleRate, bytesPerSample: bits / 8, read }
    : undefined;
};

async function* partsOf(file: FileHandle, format: Format): AsyncGenerator<DecodedAudioPart> {
  const { channels, bytesPerSample, dataOffset, dataBytes, sampleRate } = format;
  const frameBytes = channels * bytesPerSample;
  const partBytes = Math.floor(PART_BYTES / frameBytes) * frameBytes;
  const end = dataOffset + Math.floor(dataBytes / frameBytes) * frameBytes;
  for (let at = dataOffset; at < end;) {
    const wanted = Math.min(partBytes, end - at);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(wanted), 0, wanted, at);
    if (bytesRead < wanted) throw new NotAudioError('the file ended too early');
    yield { samples: mixDownToMono(channelsOf(buffer, format)), sampleRate };
    at += wanted;
  }
}

const channelsOf = (bytes: Buffer, { channels, bytesPerSample, read }: Format): Float32Array[] => {
  const frames = bytes.length / (channels * bytesPerSample);
  return Array.from({ length: channels }, (_, channel) =>
    Float32Array.from({ length: frames }, (_none, frame) =>
      read(bytes, (frame * channels + channel) * bytesPerSample),
    ),
  );
};
