/**
 * espeak-ng behind the synthesizer contract: a few long-lived child processes, one text at a time each.
 * A child that dies or hangs is replaced; who waited for it asks again.
 */
import type { ChildProcess } from 'node:child_process';
import { forkSiblingModule, killGroup } from '../../forkSiblingModule.ts';
import { Retryable, NotRetryable } from '../../engine/contract/performer.ts';
import { builtInSpeechProvider } from '../../rules/voice/voiceName.ts';
import type { Synthesizer, SpeechVoice } from '../contracts/speech.ts';
import type { SpeakReply, SpeakRequest } from './espeakChildMain.ts';
import { ESPEAK_VOICES } from './offeredEspeakVoices.ts';
import { listSystemEspeakVoices } from './systemEspeak.ts';

export interface EspeakOptions {
  /** Path of the system's program (`findEspeak.ts`). Default: the npm package speaks. */
  program?: string | undefined;
  /** Processes at most; each is started when it is first needed. Default 1. */
  processes?: number;
  /** A text that takes longer costs its process the life, milliseconds; it includes the start. Default 20,000. */
  timeoutMs?: number;
  /**
   * What a text may take beyond that for each of its characters, milliseconds. Default 20: some fifty times what it
   * takes where nothing else runs, for one that is given up would take as long again.
   */
  timeoutMsPerCharacter?: number;
  /** Texts that may wait. Default 1,000. */
  waiting?: number;
}

interface Job {
  request: SpeakRequest;
  resolve: (wav: Buffer) => void;
  reject: (error: Error) => void;
}

/** Offers espeak-ng. No process is started before the first text. */
export const espeakSynthesizer = (options: EspeakOptions = {}): Synthesizer => {
  const { program, processes = 1, timeoutMs = 20_000, timeoutMsPerCharacter = 20, waiting = 1000 } = options;
  const queue: Job[] = [];
  const idle: ChildProcess[] = [];
  const living = new Set<ChildProcess>();
  let stopped = false;

  const work = (): void => {
    while (queue.length > 0 && !stopped) {
      const child = idle.pop() ?? (living.size < processes ? startChild() : undefined);
      if (!child) return;
      void employ(child, queue.shift()!);
    }
  };

  const startChild = (): ChildProcess => {
    const child = forkChild();
    living.add(child);
    const gone = (): void => {
      living.delete(child);
      if (idle.includes(child)) idle.splice(idle.indexOf(child), 1);
      work();
    };
    // A process that could not even be started has no exit.
    child.once('exit', gone).on('error', gone);
    return child;
  };

  const employ = async (child: ChildProcess, job: Job): Promise<void> => {
    try {
      const reply = await askChild(child, job, timeoutMs + job.request.text.length * timeoutMsPerCharacter);
      idle.push(child);
      if ('wav' in reply) job.resolve(Buffer.from(reply.wav));
      else job.reject(new NotRetryable('refusedBySynthesizer', reply.refusal));
    } catch (cause) {
      killGroup(child);
      job.reject(new Retryable('the speech process was lost', { cause }));
    }
    work();
  };

  return {
    provider: builtInSpeechProvider,
    voices: async () => (program === undefined ? ESPEAK_VOICES : voicesOf(program)),

    speak: ({ text, voice, rate }) =>
      new Promise((resolve, reject) => {
        if (stopped) return reject(new Retryable('the synthesizer is stopping'));
        if (queue.length >= waiting) return reject(new Retryable(`${queue.length} texts wait to be spoken`));
        const request = { text, voice: voice.toLowerCase(), rate, ...(program !== undefined && { program }) };
        queue.push({ request, resolve, reject });
        work();
      }),

    async stop() {
      stopped = true;
      for (const job of queue.splice(0)) job.reject(new Retryable('the synthesizer is stopping'));
      await Promise.all([...living].map(endChild));
    },
  };
};

/** Of those that we offer, the ones that the program has. Throws `Retryable`. */
const voicesOf = async (program: string): Promise<SpeechVoice[]> => {
  try {
    const names = await listSystemEspeakVoices(program);
    return ESPEAK_VOICES.filter(({ name }) => names.has(/\|([^+]*)/.exec(name)![1]!));
  } catch (cause) {
    throw new Retryable(`${program} does not list its voices`, { cause });
  }
};

/** The process and the program that it starts make a group, which is killed as one. */
const forkChild = (): ChildProcess => {
  const child = forkSiblingModule(import.meta.url, 'espeakChildMain', {
    serialization: 'advanced',
    detached: true,
  });
  // An idle child does not keep this process from ending.
  child.unref();
  child.channel?.unref();
  return child;
};

const askChild = (child: ChildProcess, job: Job, timeoutMs: number): Promise<SpeakReply> =>
  new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(patience);
      child.off('message', hear).off('exit', mourn).off('error', reject);
      child.channel?.unref();
      act();
    };
    const hear = (reply: SpeakReply): void => settle(() => resolve(reply));
    const mourn = (): void => settle(() => reject(new Error('it ended while speaking')));
    const patience = setTimeout(
      () => settle(() => reject(new Error(`it took longer than ${timeoutMs} ms`))),
      timeoutMs,
    );
    child.on('message', hear).on('exit', mourn).on('error', reject);
    child.channel?.ref();
    child.send(job.request, (error) => error && settle(() => reject(error)));
  });

const endChild = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve());
    killGroup(child);
  });
