/** A question that a page asks when it is shown, and again when what it asks for changes. */
import { useEffect, useState } from 'preact/hooks';

export interface FetchState<Answer> {
  answer: Answer | undefined;
  failure: unknown;
}

/** `key`: what is asked for, as text; undefined: nothing. An answer that comes late is dropped. */
export const useFetch = <Answer>(
  key: string | undefined,
  read: (signal: AbortSignal) => Promise<Answer>,
): FetchState<Answer> => {
  const [reading, setReading] = useState<FetchState<Answer>>({ answer: undefined, failure: undefined });
  useEffect(() => {
    if (key === undefined) {
      setReading({ answer: undefined, failure: undefined });
      return undefined;
    }
    const leaving = new AbortController();
    read(leaving.signal).then(
      (answer) => setReading({ answer, failure: undefined }),
      (failure: unknown) => {
        if (!leaving.signal.aborted) setReading({ answer: undefined, failure });
      },
    );
    return () => leaving.abort();
  }, [key]);
  return reading;
};
