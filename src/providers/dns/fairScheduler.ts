/**
 * Turns of askers at something scarce: each has a few at a time, all together more, and where all are taken the next
 * goes to the askers in turn, so that an asker who wants much does not delay one who wants little.
 */
export interface FairDnsLookupSchedulerOptions {
  /** At a time, of one asker and of all. */
  each: number;
  all: number;
  /** Waiting, of one asker. */
  waiting: number;
}

/** Runs `work` when it is the asker's turn. Rejects with `TooMany` when too much of the asker's waits already. */
export type FairDnsLookupScheduler = <Result>(asker: string, work: () => Promise<Result>) => Promise<Result>;

class TooMany extends Error {
  readonly code = 'EBUSY';
}

interface Asker {
  busy: number;
  waiting: (() => void)[];
}

export const createFairDnsLookupScheduler = ({
  each,
  all,
  waiting,
}: FairDnsLookupSchedulerOptions): FairDnsLookupScheduler => {
  /** Those who are at work or wait; the one whose turn is longest ago comes first. */
  const askers = new Map<string, Asker>();
  let busy = 0;

  const next = (): void => {
    for (const [name, asker] of askers) {
      if (busy >= all) return;
      if (asker.busy >= each || asker.waiting.length === 0) continue;
      // To the end of the line.
      askers.delete(name);
      askers.set(name, asker);
      begin(asker, asker.waiting.shift()!);
    }
  };

  const begin = (asker: Asker, run: () => void): void => {
    asker.busy += 1;
    busy += 1;
    run();
  };

  const done = (name: string, asker: Asker): void => {
    asker.busy -= 1;
    busy -= 1;
    if (asker.busy === 0 && asker.waiting.length === 0) askers.delete(name);
    next();
  };

  return async (name, work) => {
    const asker = askers.get(name) ?? { busy: 0, waiting: [] };
    askers.set(name, asker);
    if (asker.waiting.length >= waiting) throw new TooMany('too many names are being looked up for it');
    await new Promise<void>((resolve) => {
      if (busy < all && asker.busy < each) begin(asker, resolve);
      else asker.waiting.push(resolve);
    });
    try {
      return await work();
    } finally {
      done(name, asker);
    }
  };
};
