/**
 * mpg123, libopus, libvorbis and libFLAC as WebAssembly: whatever a file makes them do, they do inside their own
 * memory. They are fed little at a time, because a few bytes may stand for much silence.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { MPEGDecoder } from 'mpg123-decoder';
import { OggOpusDecoder } from 'ogg-opus-decoder';
import { type DecodeAudioFile, mixDownToMono, NotAudioError } from './decoded.ts';
import type { AudioFormat } from './detectAudioFormat.ts';

/** What the decoders have in common. */
interface Program {
  ready: Promise<void>;
  decode(bytes: Uint8Array): Decoded | Promise<Decoded>;
  /** What is still inside at the end; mpg123 has nothing. */
  flush?(): Promise<Decoded>;
  free(): void;
}

interface Decoded {
  channelData: Float32Array[];
  samplesDecoded: number;
  sampleRate: number;
}

/** A kibibyte of FLAC may be five minutes of silence. */
const FED_BYTES = 1024;

const programs: Partial<Record<AudioFormat, () => Program>> = {
  mp3: () => new MPEGDecoder(),
  opus: () => new OggOpusDecoder(),
  vorbis: () => new OggVorbisDecoder(),
  flac: () => new FLACDecoder(),
};

/** The decoder of a kind; undefined where WebAssembly has none. */
export const wasmDecoderOf = (kind: AudioFormat): DecodeAudioFile | undefined => {
  const load = programs[kind];
  return load && ((path) => decodeWith(load(), path));
};

async function* decodeWith(program: Program, path: string) {
  await program.ready;
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: FED_BYTES }))
      yield* soundOf(await asked(() => program.decode(bytes as Buffer)));
    const after = program instanceof FLACDecoder ? await firstFlacHeader(path) : undefined;
    if (after) yield* soundOf(await asked(() => program.decode(after)));
    if (program.flush) yield* soundOf(await asked(() => program.flush!()));
  } finally {
    program.free();
  }
}

/** A decoder that gives up has met something that is no sound. */
const asked = async (ask: () => Decoded | Promise<Decoded>): Promise<Decoded> => {
  try {
    return await ask();
  } catch (cause) {
    throw new NotAudioError('the file is broken', { cause });
  }
};

function* soundOf({ channelData, samplesDecoded, sampleRate }: Decoded) {
  if (samplesDecoded > 0) yield { samples: mixDownToMono(channelData), sampleRate };
}

const FLAC_HEADER_BYTES = 16;
const MOST_FLAC_BLOCKS = 200;

/**
 * The head of the first frame. The parser before libFLAC ends a frame only where it sees another begin, and loses a
 * short last one; so it is shown this after the file. Undefined for FLAC in Ogg, whose pages tell the end.
 */
const firstFlacHeader = async (path: string): Promise<Uint8Array | undefined> => {
  const file = await open(path, 'r');
  const bytesAt = async (at: number, length: number): Promise<Buffer> =>
    (await file.read(Buffer.alloc(length), 0, length, at)).buffer;
  try {
    if ((await bytesAt(0, 4)).toString('latin1') !== 'fLaC') return undefined;
    let at = 4;
    for (let block = 0; block < MOST_FLAC_BLOCKS; block++) {
      const head = await bytesAt(at, 4);
      at += 4 + head.readUIntBE(1, 3);
      if ((head[0]! & 0x80) !== 0) return await bytesAt(at, FLAC_HEADER_BYTES);
    }
    return undefined;
  } finally {
    await file.close();
  }
};
