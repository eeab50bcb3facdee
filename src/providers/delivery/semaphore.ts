/** So many at a time, the others in the order they came. */

/** Runs work when it is its turn. Rejects with the signal's reason when that comes first. */
export type Semaphore = <Value>(work: () => Promise<Value>, signal: AbortSignal) => Promise<Value>;

export const semaphoreOf = (atATime: number): Semaphore => {
  const waiting = new Set<() => void>();
  let free = atATime;

  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const giveUp = (): void => {
        waiting.delete(begin);
        reject(signal.reason as Error);
      };
      const begin = (): void => {
        waiting.delete(begin);
        signal.removeEventListener('abort', giveUp);
        free -= 1;
        resolve();
      };
      waiting.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
      next();
    });

  const next = (): void => {
    const [first] = waiting;
    if (free > 0) first?.();
  };

  return async (work, signal) => {
    await turn(signal);
    try {
      return await work();
    } finally {
      free += 1;
      next();
    }
  };
};
