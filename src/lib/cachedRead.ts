/**
 * For reads that are open to all clients and asked for often: one is under way at a time, further callers wait for it,
 * and its answer is believed for a while. A failure is told to those who wait, and not believed any longer.
 */
export const cachedRead = <Answer>(
  read: () => Promise<Answer>,
  /** Milliseconds that an answer is believed; `now`: milliseconds of any clock. */
  { forMs, now }: { forMs: number; now: () => number },
): (() => Promise<Answer>) => {
  let underWay: Promise<Answer> | undefined;
  let last: { answer: Answer; until: number } | undefined;
  const look = async (): Promise<Answer> => {
    try {
      const answer = await read();
      last = { answer, until: now() + forMs };
      return answer;
    } finally {
      underWay = undefined;
    }
  };
  return () => {
    if (last && now() < last.until) return Promise.resolve(last.answer);
    return (underWay ??= look());
  };
};
