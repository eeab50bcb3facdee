/** Chooses who reads a file: ourselves for plain WAV, then ffmpeg where there is one, else WebAssembly. */
import { readFileHead } from '../readFileHead.ts';
import { type DecodedAudioPart, NotAudioError } from './decoded.ts';
import { ffmpegDecoderOf } from './ffmpegDecoder.ts';
import { AUDIO_FORMAT_DETECTION_BYTES, soundKindOf } from './detectAudioFormat.ts';
import { wasmDecoderOf } from './wasmDecoder.ts';
import { decodeWav, isPlainWav } from './wavDecoder.ts';

/** `ffmpeg`: path of the program; undefined: WebAssembly reads. Throws `NotAudioError`. */
export async function* decodeAudioFile(
  path: string,
  ffmpeg: string | undefined,
): AsyncGenerator<DecodedAudioPart> {
  const head = await readFileHead(path, HEAD_BYTES);
  const kind = soundKindOf(head);
  if (!kind) throw new NotAudioError('the content is no sound that is known here');
  if (kind === 'wav' && isPlainWav(head)) return yield* decodeWav(path);
  const decoder = ffmpeg === undefined ? wasmDecoderOf(kind) : ffmpegDecoderOf(ffmpeg, kind);
  if (!decoder) throw new NotAudioError(`${kind} files cannot be read here`);
  return yield* decoder(path);
}

/** A WAV's format may stand behind other chunks. */
const HEAD_BYTES = Math.max(AUDIO_FORMAT_DETECTION_BYTES, 64 * 1024);
