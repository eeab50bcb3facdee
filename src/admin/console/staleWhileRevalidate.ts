/** A question to the database that is asked again and again, as often as it may be for what it costs. */

export interface StaleWhileRevalidateOptions<Answer> {
  read(): Promise<Answer>;
  /** Between two reads at least, milliseconds. */
  everyMs: number;
  /** Milliseconds of any monotonic clock. */
  now(): number;
}

/** What one question may take of a processor of the database, whatever it costs. A page asks some seven of them. */
export const processorShare = 1 / 100;

/**
 * Answers what was read last, and reads anew in the background when that is old. The first question waits, and one that
 * finds only what was read before a long silence. A read that fails is told once, and the next one is tried.
 */
export const staleWhileRevalidate = <Answer>({
  read,
  everyMs,
  now,
}: StaleWhileRevalidateOptions<Answer>): (() => Promise<Answer>) => {
  let last: { answer: Answer } | undefined;
  let next = -Infinity;
  let stale = -Infinity;
  let lastTook = 0;
  let underWay: Promise<Answer> | undefined;
  const look = async (): Promise<Answer> => {
    const began = now();
    try {
      const answer = await read();
      last = { answer };
      return answer;
    } catch (error) {
      last = undefined;
      throw error;
    } finally {
      const took = now() - began;
      // A single read that had to wait for a busy machine would keep its answer on the page for a minute or two.
      const rest = Math.max(everyMs, Math.min(took, lastTook) / processorShare);
      lastTook = took;
      next = now() + rest;
      stale = next + rest;
      underWay = undefined;
    }
  };
  return async () => {
    const isStale = last === undefined || now() >= stale;
    if (isStale || now() >= next) underWay ??= look();
    if (isStale) return underWay!;
    // Told to the one who waits for the next answer.
    underWay?.catch(() => undefined);
    return last!.answer;
  };
};
