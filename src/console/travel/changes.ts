/** What one step changed in a context: the parts that were and those that are, each at its place. */

export interface ContextChanges {
  /** What was otherwise before, or is no more. */
  was: Record<string, unknown>;
  /** What is otherwise now, or new. */
  is: Record<string, unknown>;
}

/** `before`: undefined of a machine's first step. Fields stay in the objects that hold them, so that each keeps its path. */
export const contextChangesBetween = (before: object | undefined, after: object): ContextChanges => {
  const changes: ContextChanges = { was: {}, is: {} };
  gather((before ?? {}) as Fields, after as Fields, changes);
  return changes;
};

type Fields = Readonly<Record<string, unknown>>;

const gather = (before: Fields, after: Fields, { was, is }: ContextChanges): void => {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[name], after[name]];
    if (old === now || JSON.stringify(old) === JSON.stringify(now)) continue;
    if (isFields(old) && isFields(now)) {
      const inner: ContextChanges = { was: {}, is: {} };
      gather(old, now, inner);
      put(was, name, inner.was);
      put(is, name, inner.is);
    } else {
      if (old !== undefined) was[name] = old;
      if (now !== undefined) is[name] = now;
    }
  }
};

const put = (into: Record<string, unknown>, name: string, part: object): void => {
  if (Object.keys(part).length > 0) into[name] = part;
};

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
