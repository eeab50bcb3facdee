/**
 * Asks in a process of its own. The faults keep the judge's process busy for seconds (hundreds of clients, megabytes of
 * answers): how long the service takes is to be measured by a clock that does not wait for them.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Answer, Asking, ask } from './ask.ts';

export interface Asker {
  /** As `ask`, without an agent. */
  ask(...asked: Parameters<typeof ask>): Promise<Answer>;
  stop(): void;
}

export interface Question {
  nth: number;
  url: string;
  asking: Asking;
}

export interface Reply {
  nth: number;
  answer: Answer;
}

export const openAsker = (): Asker => {
  const child = fork(join(import.meta.dirname, 'askerProcess.ts'));
  const waiting = new Map<number, (answer: Answer) => void>();
  let asked = 0;
  child.on('message', ({ nth, answer }: Reply) => {
    waiting.get(nth)?.(answer);
    waiting.delete(nth);
  });
  // Without it nothing that is said of times would be true.
  child.once('exit', (code, signal) => {
    if (signal !== 'SIGTERM') throw new Error(`the process that asks has ended: ${signal ?? code}`);
  });
  return {
    ask: (url, asking = {}) =>
      new Promise((resolve) => {
        const nth = ++asked;
        waiting.set(nth, resolve);
        child.send({ nth, url, asking } satisfies Question);
      }),
    stop: () => void child.kill('SIGTERM'),
  };
};
