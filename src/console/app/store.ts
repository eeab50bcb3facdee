/** A value that components watch: set anywhere, drawn again wherever it is used. */
import { useLayoutEffect, useState } from 'preact/hooks';

export interface ReactiveStore<T> {
  get(): T;
  set(value: T): void;
  /** Hears every value that is set; answers how to stop. */
  subscribe(hear: (value: T) => void): () => void;
}

/** Makes a store that begins with a value. */
export const createReactiveStore = <T>(initial: T): ReactiveStore<T> => {
  let current = initial;
  const hearers = new Set<(value: T) => void>();
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(value, current)) return;
      current = value;
      for (const hear of [...hearers]) hear(value);
    },
    subscribe: (hear) => {
      hearers.add(hear);
      return () => void hearers.delete(hear);
    },
  };
};

/** The value of a store, as of now and of every change. */
export const useStore = <T>(store: ReactiveStore<T>): T => {
  const [value, setValue] = useState(() => store.get());
  useLayoutEffect(() => {
    setValue(() => store.get());
    return store.subscribe((next) => setValue(() => next));
  }, [store]);
  return value;
};
