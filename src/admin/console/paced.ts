/** A question to the database that is asked again and again, as often as it may be for what it costs. */

export interface PacedOptions<Answer> {
  read(): Promise<Answer>;
  /** Between two reads at least, milliseconds. */
  everyMs: number;
  /** Milliseconds of any monotonic clock. */
  now(): number;
}

/** A twentieth of one processor of the database, whatever the question costs. */
const share = 1 / 20;

/**
 * Answers what was read last, and reads anew in the background when that is old. Who asks first waits. A read that fails
 * is told once, and the next one is tried.
 */
export const paced = <Answer>({ read, everyMs, now }: PacedOptions<Answer>): (() => Promise<Answer>) => {
  let last: { answer: Answer } | undefined;
  let next = -Infinity;
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
      next = now() + Math.max(everyMs, (now() - began) / share);
      underWay = undefined;
    }
  };
  return async () => {
    if (underWay === undefined && (last === undefined || now() >= next)) underWay = look();
    if (last) {
      // Told to who waits for the next one.
      underWay?.catch(() => undefined);
      return last.answer;
    }
    return underWay!;
  };
};
