/**
 * The process that handles untrusted sound. It does one order and ends; whatever the file makes of it, it is one
 * process with bounds, and not the service.
 */
import { join } from 'node:path';
import { decodeAudioFile } from './decode.ts';
import { NotAudioError } from './decoded.ts';
import { encodeAudioFiles, OnlySilenceError } from './encodeAudioFiles.ts';
import { writePcmSpool, AudioTooLongError } from './pcmSpool.ts';
import {
  transcodedFileNames,
  type TranscoderChildReply,
  type TranscoderChildRequest,
} from './transcoderWork.ts';

class TooMuch extends Error {}

const work = async ({
  order,
  ffmpeg,
  maxSeconds,
  maxBytes,
}: TranscoderChildRequest): Promise<TranscoderChildReply> => {
  const check = (): void => {
    if (process.memoryUsage.rss() > maxBytes) throw new TooMuch();
  };
  const place = (name: keyof typeof transcodedFileNames): string =>
    join(order.folder, transcodedFileNames[name]);
  try {
    const spooled = await writePcmSpool(
      decodeAudioFile(order.source, ffmpeg),
      place('spool'),
      maxSeconds,
      check,
    );
    const files = { wav: place('wav'), ...(order.mp3 && { mp3: place('mp3') }) };
    return { seconds: await encodeAudioFiles(spooled, order.treatment, files, check) };
  } catch (error) {
    return replyOf(error, maxSeconds);
  }
};

const replyOf = (error: unknown, maxSeconds: number): TranscoderChildReply => {
  if (error instanceof NotAudioError) return { refusal: 'notSound', text: error.message };
  if (error instanceof AudioTooLongError)
    return { refusal: 'tooLong', text: `the sound is longer than ${maxSeconds} seconds` };
  if (error instanceof TooMuch) return { refusal: 'tooMuch', text: 'decoding it takes too much memory' };
  if (error instanceof OnlySilenceError)
    return { refusal: 'onlySilence', text: 'nothing is left of it without its silence' };
  return { failure: error instanceof Error ? error.message : String(error) };
};

process.once('message', (request: TranscoderChildRequest) => {
  void work(request).then((reply) => process.send?.(reply));
});
process.once('disconnect', () => process.exit(0));
