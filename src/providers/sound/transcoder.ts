/**
 * The transcoder: a process for each order, a few at a time, killed with all it started when it takes too long.
 */
import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { forkSiblingModule, killGroup } from '../../forkSiblingModule.ts';
import { Retryable, NotRetryable } from '../../engine/contract/performer.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { TranscodedAudio, TranscodeRequest, Transcoder } from '../contracts/sound.ts';
import type { FoundFfmpegProgram } from './findFfmpeg.ts';
import {
  transcodedFileNames,
  type TranscoderChildReply,
  type TranscoderChildRequest,
} from './transcoderWork.ts';

export interface TranscoderOptions {
  /** Absent: WebAssembly decodes. */
  ffmpeg?: FoundFfmpegProgram | undefined;
  /** Orders under way at a time. Default 2. */
  processes?: number;
  /** Orders that may wait. Default 50. */
  waiting?: number;
  /** Longest sound, seconds. Default 3600. */
  maxSeconds?: number;
  /** Longest an order may take, milliseconds. Default 180,000. */
  timeoutMs?: number;
  /** Resident memory of a process, bytes. Default 512 MiB. */
  maxBytes?: number;
}

export const openTranscoder = (options: TranscoderOptions = {}): Transcoder => {
  const { ffmpeg, processes = 2, waiting = 50, maxSeconds = 3600, timeoutMs = 180_000 } = options;
  const { maxBytes = 512 * 2 ** 20 } = options;
  const living = new Set<ChildProcess>();
  const stopping = new AbortController();
  const turns = new Semaphore(processes, {
    waiting,
    tooMany: (sounds) => new Retryable(`${sounds} sounds wait to be made`),
  });

  const make = async (order: TranscodeRequest): Promise<TranscodedAudio> => {
    const child = forkChild();
    living.add(child);
    try {
      const request: TranscoderChildRequest = {
        order,
        maxSeconds,
        maxBytes,
        ...(ffmpeg && { ffmpeg: ffmpeg.path }),
      };
      return madeOf(await ask(child, request, timeoutMs), order);
    } catch (error) {
      await forget(order, ['wav', 'mp3']);
      throw error;
    } finally {
      living.delete(child);
      await end(child);
      await forget(order, ['spool']);
    }
  };

  return {
    decoder: ffmpeg ? `ffmpeg ${ffmpeg.version}` : 'WebAssembly',
    make: (order) => turns.take(() => make(order), stopping.signal),
    async stop() {
      stopping.abort(new Retryable('the transcoder is stopping'));
      await Promise.all([...living].map(end));
    },
  };
};

const forget = async (
  order: TranscodeRequest,
  names: (keyof typeof transcodedFileNames)[],
): Promise<void> => {
  for (const name of names) await rm(join(order.folder, transcodedFileNames[name]), { force: true });
};

const madeOf = (reply: TranscoderChildReply, { folder, mp3 }: TranscodeRequest): TranscodedAudio => {
  if ('refusal' in reply) throw new NotRetryable(reply.refusal, reply.text);
  if ('failure' in reply) throw new Retryable(`the transcoder failed: ${reply.failure}`);
  return {
    wav: join(folder, transcodedFileNames.wav),
    ...(mp3 && { mp3: join(folder, transcodedFileNames.mp3) }),
    seconds: reply.seconds,
  };
};

/** The process and what it starts make a group, which is killed as one. */
const forkChild = (): ChildProcess =>
  forkSiblingModule(import.meta.url, 'transcoderChildMain', {
    execArgv: ['--max-old-space-size=256'],
    detached: true,
  });

const ask = (
  child: ChildProcess,
  request: TranscoderChildRequest,
  timeoutMs: number,
): Promise<TranscoderChildReply> =>
  new Promise((resolve, reject) => {
    const patience = setTimeout(
      () => reject(new NotRetryable('tooMuch', `it takes longer than ${timeoutMs / 1000} seconds to make`)),
      timeoutMs,
    );
    const settle = (act: () => void) => (): void => {
      clearTimeout(patience);
      act();
    };
    const lost = settle(() => reject(new Retryable('the process that makes sound was lost')));
    child.once('message', (reply: TranscoderChildReply) => settle(() => resolve(reply))());
    child.once('exit', lost).once('error', lost);
    child.send(request, (error) => error && lost());
  });

/** Kills the process and all that it started, and waits until it is gone. */
const end = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined) return;
  const gone =
    child.exitCode !== null || child.signalCode !== null
      ? Promise.resolve()
      : new Promise<void>((resolve) => child.once('exit', () => resolve()));
  killGroup(child);
  await gone;
};
