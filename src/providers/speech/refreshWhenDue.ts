/** Lazy refresh: runs again on access, once the interval has passed. There is no timer. */

export interface RefreshWhenDueOptions {
  /** Milliseconds of any clock. */
  now: () => number;
  /** When it is due again, milliseconds. */
  everyMs: number;
  /** The same after it failed. */
  afterFailureMs: number;
  failed: (error: unknown) => void;
}

/**
 * Does something again when it is due, once at a time. The answer is what to wait for, as long as it was never done;
 * it never rejects.
 */
export const refreshWhenDue = (
  act: () => Promise<void>,
  { now, everyMs, afterFailureMs, failed }: RefreshWhenDueOptions,
): (() => Promise<void> | undefined) => {
  let dueAt = -Infinity;
  let tried = false;
  let underWay: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    try {
      await act();
      dueAt = now() + everyMs;
    } catch (error) {
      dueAt = now() + afterFailureMs;
      failed(error);
    }
    tried = true;
    underWay = undefined;
  };
  return () => {
    if (!underWay && now() >= dueAt) underWay = run();
    return tried ? undefined : underWay;
  };
};

/** Waits for some work, but not longer than this. */
export const waitAtMost = async (work: Promise<unknown>, ms: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
};
