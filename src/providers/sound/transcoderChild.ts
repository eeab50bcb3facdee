/**
 * The process that handles untrusted sound. It does one order and ends; whatever the file makes of it, it is one
 * process with bounds, and not the service.
 */
import { join } from 'node:path';
import { decode } from './decode.ts';
import { NotSound } from './decoded.ts';
import { encode, OnlySilence } from './encode.ts';
import { spool, TooLong } from './pcmSpool.ts';
import { fileNames, type WorkReply, type WorkRequest } from './transcoderWork.ts';

class TooMuch extends Error {}

const work = async ({ order, ffmpeg, maxSeconds, maxBytes }: WorkRequest): Promise<WorkReply> => {
  const check = (): void => {
    if (process.memoryUsage.rss() > maxBytes) throw new TooMuch();
  };
  const place = (name: keyof typeof fileNames): string => join(order.folder, fileNames[name]);
  try {
    const spooled = await spool(decode(order.source, ffmpeg), place('spool'), maxSeconds, check);
    const files = { wav: place('wav'), ...(order.mp3 && { mp3: place('mp3') }) };
    return { seconds: await encode(spooled, order.treatment, files, check) };
  } catch (error) {
    return replyOf(error, maxSeconds);
  }
};

const replyOf = (error: unknown, maxSeconds: number): WorkReply => {
  if (error instanceof NotSound) return { refusal: 'notSound', text: error.message };
  if (error instanceof TooLong)
    return { refusal: 'tooLong', text: `the sound is longer than ${maxSeconds} seconds` };
  if (error instanceof TooMuch) return { refusal: 'tooMuch', text: 'decoding it takes too much memory' };
  if (error instanceof OnlySilence)
    return { refusal: 'onlySilence', text: 'nothing is left of it without its silence' };
  return { failure: error instanceof Error ? error.message : String(error) };
};

process.once('message', (request: WorkRequest) => {
  void work(request).then((reply) => process.send?.(reply));
});
process.once('disconnect', () => process.exit(0));
