/** A map that forgets its oldest entry when it is full. */
export interface LruMap<Value> {
  get(key: string): Value | undefined;
  /** A key that is set again is the newest. */
  set(key: string, value: Value): void;
  delete(key: string): void;
}

export const lruMap = <Value>(most: number): LruMap<Value> => {
  const entries = new Map<string, Value>();
  return {
    get: (key) => entries.get(key),
    delete: (key) => void entries.delete(key),
    set: (key, value) => {
      entries.delete(key);
      const oldest = entries.size >= most ? entries.keys().next().value : undefined;
      if (oldest !== undefined) entries.delete(oldest);
      entries.set(key, value);
    },
  };
};
