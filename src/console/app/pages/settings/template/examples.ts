/** Examples of a template's gaps: JSON as the service stores it, and the values that a person types one by one. Pure. */

/** Undefined: it is no JSON, or not yet. */
export const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `{"body_text": ["Ana"]}`, or the same with a list within the list: what the service takes. */
export const examplesOfPart = (examples: unknown, part: string): readonly string[] => {
  const found = isObject(examples) ? examples[part] : undefined;
  const list: unknown = Array.isArray(found) && Array.isArray(found[0]) ? found[0] : found;
  if (typeof list === 'string') return [list];
  return Array.isArray(list) ? list.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) : [];
};

/** More gaps than any platform takes get no boxes: `{{999}}` would make as many. */
const mostBoxes = 50;

/** How many examples a text takes: the service counts up to the highest gap. */
export const countGaps = (text: string): number => {
  const numbers = [...text.matchAll(/\{\{\s*(\d{1,3})\s*\}\}/g)].map(([, number]) => Number(number));
  return Math.min(mostBoxes, Math.max(0, ...numbers));
};

/** The JSON with another example, from 0 on, of a part that has so many; empty where there is none any more. */
export const withExample = (
  written: string,
  { part, count }: { part: string; count: number },
  nth: number,
  example: string,
): string => {
  const before = readJson(written);
  const known = examplesOfPart(before, part);
  const list = Array.from({ length: count }, (_, at) => (at === nth ? example : (known[at] ?? '')));
  const { [part]: _, ...others } = isObject(before) ? before : {};
  const all = list.every((one) => one === '') ? others : { ...others, [part]: list };
  return Object.keys(all).length === 0 ? '' : JSON.stringify(all);
};
