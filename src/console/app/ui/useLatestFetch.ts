/**
 * A question that changes faster than it is answered. One is asked at a time; while its answer is on its way, only the
 * newest of those that follow is kept. The last answer stands until the next one is there.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface LatestFetchState<Answer> {
  answer: Answer | undefined;
  failure: unknown;
}

/** `key`: what is asked for, as text; undefined: nothing. */
export const useLatestFetch = <Answer>(
  key: string | undefined,
  read: () => Promise<Answer>,
): LatestFetchState<Answer> => {
  const [state, setState] = useState<LatestFetchState<Answer>>({ answer: undefined, failure: undefined });
  const next = useRef<(() => Promise<Answer>) | undefined>(undefined);
  const isAsking = useRef(false);
  const isGone = useRef(false);
  const run = async (): Promise<void> => {
    if (isAsking.current) return;
    isAsking.current = true;
    while (next.current && !isGone.current) {
      const ask = next.current;
      next.current = undefined;
      try {
        const answer = await ask();
        if (!isGone.current) setState({ answer, failure: undefined });
      } catch (failure) {
        if (!isGone.current) setState(({ answer }) => ({ answer, failure }));
      }
    }
    isAsking.current = false;
  };
  // An answer that is here already is drawn at once.
  useLayoutEffect(() => {
    if (key === undefined) return;
    next.current = read;
    void run();
  }, [key]);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  return state;
};
