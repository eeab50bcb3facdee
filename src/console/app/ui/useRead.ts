/** A question that a page asks when it is shown, and again when what it asks for changes. */
import { useEffect, useState } from 'preact/hooks';
import { AdminApiRequestError } from '../api.ts';

/** What the service did not answer is asked again after so long, milliseconds. */
const againMs = 3_000;

export interface FetchState<Answer> {
  answer: Answer | undefined;
  failure: unknown;
  /** Asks once more, at once. */
  again(): void;
}

/**
 * `key`: what is asked for, as text; undefined: nothing. An answer that comes late is dropped. Where the service does not
 * answer, it is asked again by itself until it does.
 */
export const useFetch = <Answer>(
  key: string | undefined,
  read: (signal: AbortSignal) => Promise<Answer>,
): FetchState<Answer> => {
  const [round, setRound] = useState(0);
  const [reading, setReading] = useState<{ answer?: Answer; failure?: unknown }>({});
  const again = (): void => setRound((count) => count + 1);
  useEffect(() => {
    if (key === undefined) {
      setReading({});
      return undefined;
    }
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    read(leaving.signal).then(
      (answer) => setReading({ answer }),
      (failure: unknown) => {
        if (leaving.signal.aborted) return;
        setReading({ failure });
        if (isAway(failure)) timer = setTimeout(again, againMs);
      },
    );
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [key, round]);
  return { answer: reading.answer, failure: reading.failure, again };
};

/** The service cannot be reached, or cannot answer now. */
const isAway = (failure: unknown): boolean =>
  failure instanceof AdminApiRequestError && [0, 502, 503, 504].includes(failure.status);
