/**
 * A context as JSON text, made anew only where it changed. Charts copy the groups they change and leave the others
 * (the call's input, above all) as they are, so the text of an untouched group is kept with the machine.
 */
interface Part {
  value: unknown;
  /** `"key":value` as JSON. */
  text: string;
}

/**
 * The texts of a context's groups, by key. One a machine, and written to as it goes: an entry says which value its
 * text is of, so it can be stale but never wrong.
 */
export type ContextJsonCache = Map<string, Part>;

/** The context's JSON. Undefined values are left out, as JSON does. */
export const contextJson = (context: unknown, parts: ContextJsonCache): string => {
  if (typeof context !== 'object' || context === null || Array.isArray(context))
    return JSON.stringify(context);
  let text = '';
  for (const key in context) {
    const value = (context as Record<string, unknown>)[key];
    const part = typeof value === 'object' ? kept(key, value, parts) : entry(key, value);
    if (part !== undefined) text += text === '' ? part : `,${part}`;
  }
  return `{${text}}`;
};

const kept = (key: string, value: unknown, parts: ContextJsonCache): string | undefined => {
  const known = parts.get(key);
  if (known !== undefined && known.value === value) return known.text;
  const text = entry(key, value);
  if (text === undefined) return undefined;
  if (known === undefined) parts.set(key, { value, text });
  else {
    known.value = value;
    known.text = text;
  }
  return text;
};

const entry = (key: string, value: unknown): string | undefined => {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : `${JSON.stringify(key)}:${text}`;
};
