/**
 * Between the nodes and each database server: a TCP proxy that cuts connections and lets bytes wait. It runs in a process
 * of its own, so that the database is not slow whenever the judge is busy.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';

export interface Gate {
  /** What the nodes are given instead of the server's. */
  port: number;
  /** Ends all connections; new ones are taken. */
  cut(): Promise<void>;
  /** Nothing passes in either direction, and nothing is closed; until `mend`. */
  silence(): Promise<void>;
  /** What waited passes, also what was sent by those that have gone meanwhile. */
  mend(): Promise<void>;
}

export interface Gates {
  /** Of each server, in the order of their ports. */
  all: readonly Gate[];
  stop(): void;
}

export type Order = { nth: number; gate: number } & (
  | { do: 'open'; port: number }
  | { do: 'cut' | 'silence' | 'mend' }
);

export interface Carried {
  nth: number;
  /** Of the gate. */
  port: number;
}

/** `ports`: of the servers. */
export const openGates = async (ports: readonly number[]): Promise<Gates> => {
  const child = fork(join(import.meta.dirname, 'gatesProcess.ts'));
  const waiting = new Map<number, (port: number) => void>();
  let given = 0;
  child.on('message', ({ nth, port }: Carried) => {
    waiting.get(nth)?.(port);
    waiting.delete(nth);
  });
  // Without it the nodes have no database.
  child.once('exit', (code, signal) => {
    if (signal !== 'SIGTERM') throw new Error(`the process of the gates has ended: ${signal ?? code}`);
  });
  type Wanted = { gate: number; do: 'open'; port: number } | { gate: number; do: 'cut' | 'silence' | 'mend' };
  const order = (wanted: Wanted): Promise<number> =>
    new Promise((resolve) => {
      const nth = ++given;
      waiting.set(nth, resolve);
      child.send({ nth, ...wanted } satisfies Order);
    });
  const all = await Promise.all(
    ports.map(async (to, gate): Promise<Gate> => {
      const tell = async (what: 'cut' | 'silence' | 'mend'): Promise<void> =>
        void (await order({ gate, do: what }));
      const port = await order({ gate, do: 'open', port: to });
      return { port, cut: () => tell('cut'), silence: () => tell('silence'), mend: () => tell('mend') };
    }),
  );
  return { all, stop: () => void child.kill('SIGTERM') };
};
