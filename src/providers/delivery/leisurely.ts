/**
 * A courier that gives way: while the process is at work all the time, callbacks set out at a pace, so that those of a
 * burst of calls follow the burst instead of slowing it (decisions/0067).
 */
import type { Courier } from '../delivery.ts';

export interface Leisure {
  /** How much of the last moments this process was at work, 0 to 1. */
  load(): number;
  /** Runs something later; answers what calls it off. */
  after(ms: number, run: () => void): () => void;
}

/** From here on a process has no time to spare. */
const BUSY = 0.8;
const EVERY_MS = 20;
/** Of those that wait, so many set out each time: as if all had this long, milliseconds. */
const WITHIN_MS = 30_000;
/** A process that has time again takes them up by and by. */
const FREE_TURNS = 40;

export const leisurely = (courier: Courier, { load, after }: Leisure): Courier => {
  const waiting = new Set<() => void>();
  let isTicking = false;

  const turns = (): number => (load() < BUSY ? FREE_TURNS : Math.ceil((waiting.size * EVERY_MS) / WITHIN_MS));

  const tick = (): void => {
    isTicking = false;
    let left = turns();
    for (const go of waiting) {
      if (left === 0) break;
      left -= 1;
      go();
    }
    wait();
  };
  const wait = (): void => {
    if (isTicking || waiting.size === 0) return;
    isTicking = true;
    after(EVERY_MS, tick);
  };

  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const giveUp = (): void => {
        waiting.delete(go);
        reject(signal.reason as Error);
      };
      const go = (): void => {
        waiting.delete(go);
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.add(go);
      wait();
    });

  return {
    carry: async (parcel) => {
      if (waiting.size > 0 || load() >= BUSY) await turn(parcel.signal);
      return courier.carry(parcel);
    },
  };
};
