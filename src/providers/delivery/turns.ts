/** So many at a time, the others in the order they came. */

/** Runs work when it is its turn. Rejects with the signal's reason when that comes first. */
export type Turns = <Value>(work: () => Promise<Value>, signal: AbortSignal) => Promise<Value>;

export const takeTurns = (atATime: number): Turns => {
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

/** The same for each target by itself. */
export type TargetTurns = <Value>(
  target: string,
  work: () => Promise<Value>,
  signal: AbortSignal,
) => Promise<Value>;

/** A slow target holds up only what goes to it; one that nobody waits for is forgotten. */
export const turnsByTarget = (atATime: number): TargetTurns => {
  const targets = new Map<string, { turns: Turns; using: number }>();
  return async (target, work, signal) => {
    const queue = targets.get(target) ?? { turns: takeTurns(atATime), using: 0 };
    targets.set(target, queue);
    queue.using += 1;
    try {
      return await queue.turns(work, signal);
    } finally {
      queue.using -= 1;
      if (queue.using === 0) targets.delete(target);
    }
  };
};
