/** The carrier's process, and questions to it one at a time. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Ask, Counted } from './carrier.ts';

export interface CarrierProcess {
  port: number;
  begin(how?: { answerMs?: number; cutAt?: number[] }): Promise<void>;
  count(): Promise<Counted>;
  receipts(): Promise<void>;
  stop(): Promise<void>;
}

export const startCarrier = async (): Promise<CarrierProcess> => {
  const child = fork(join(import.meta.dirname, 'carrier.ts'), { execArgv: ['--import', 'tsx'] });
  const [port] = (await once(child, 'message')) as [number];
  const ask = async (question: Ask): Promise<unknown> => {
    child.send(question);
    const [said] = (await once(child, 'message')) as [unknown];
    return said;
  };
  return {
    port,
    begin: async (how) => void (await ask({ do: 'begin', answerMs: 0, cutAt: [], ...how })),
    count: async () => (await ask({ do: 'count' })) as Counted,
    receipts: async () => void (await ask({ do: 'receipts' })),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
};
