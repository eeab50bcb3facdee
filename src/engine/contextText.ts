/**
 * A context as JSON text, made anew only where it changed. Charts copy the groups they change and leave the others
 * (the call's input, above all) as they are, so the text of an untouched group is kept beside it.
 */
interface Part {
  value: unknown;
  text: string;
}

/** The texts of a context's groups, by key. */
export type ContextParts = ReadonlyMap<string, Part>;

/** The context's JSON, and the parts of it for the next time. Undefined values are left out, as JSON does. */
export const contextText = (
  context: unknown,
  known: ContextParts | null,
): { text: string; parts: ContextParts } => {
  if (typeof context !== 'object' || context === null || Array.isArray(context))
    return { text: JSON.stringify(context), parts: new Map() };
  const parts = new Map<string, Part>();
  let text = '';
  for (const [key, value] of Object.entries(context)) {
    const part = partOf(value, known?.get(key));
    if (part === undefined) continue;
    if (typeof value === 'object') parts.set(key, part);
    text += `${text ? ',' : ''}${JSON.stringify(key)}:${part.text}`;
  }
  return { text: `{${text}}`, parts };
};

const partOf = (value: unknown, known: Part | undefined): Part | undefined => {
  if (known !== undefined && known.value === value) return known;
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : { value, text };
};
