/** Placeholders of a template, `{{1}}`, `{{2}}` …, and the examples that upstream wants of each (spec 2.5.1). */
import { TemplateFault } from './definition.ts';

/** The highest placeholder of a text; 0: it has none. So many examples it takes. */
export const highestTemplatePlaceholder = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/\{\{\s*(\d{1,3})\s*\}\}/g)].map(([, number]) => Number(number)));

/** The text as upstream reads it: it takes `{{ 1 }}` for no placeholder. */
export const trimPlaceholderSpaces = (text: string): string =>
  text.replaceAll(/\{\{\s*(\d{1,3})\s*\}\}/g, '{{$1}}');

/** Examples as they are stored: JSON `{"body_text": […], "header_text": […]}`, each flat or nested. */
export interface TemplateExamples {
  /** As many as the text takes. Throws a `TemplateFault` where there are fewer, or an empty one. */
  for(part: 'body_text' | 'header_text', count: number): string[];
}

/** Reads examples when they are first asked for: a template without placeholders may hold anything. */
export const readTemplateExamples = (written: string): TemplateExamples => ({
  for: (part, count) => {
    if (count === 0) return [];
    const values = listOf(parsed(written)[part], part).slice(0, count);
    if (values.length < count) throw fewer(part, count, values.length);
    return values.map((value, nth) => textOf(value, `${part} ${nth + 1}`));
  },
});

const fewer = (part: string, count: number, given: number): TemplateFault =>
  new TemplateFault(
    'tooFewExamples',
    `cwt_variables_examples has ${given} of the ${count} values that the placeholders of ${part} need`,
  );

const parsed = (written: string): Record<string, unknown> => {
  if (written.trim() === '')
    throw new TemplateFault('noExamples', 'the text has placeholders, and cwt_variables_examples is empty');
  try {
    const value = JSON.parse(written) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Told below, as JSON that is no object.
  }
  throw new TemplateFault(
    'examplesNotJson',
    'cwt_variables_examples must be a JSON object, {"body_text": ["…"]}',
  );
};

/** Flat or nested, a single text too; of several sets of examples the first. */
const listOf = (value: unknown, part: string): unknown[] => {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string' || typeof value === 'number') return [value];
  if (!Array.isArray(value))
    throw new TemplateFault('examplesNotJson', `${part} of cwt_variables_examples must be a list`);
  return Array.isArray(value[0]) ? value[0] : value;
};

const textOf = (value: unknown, which: string): string => {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && text.trim() !== '') return text;
  throw new TemplateFault('emptyExample', `the example ${which} of cwt_variables_examples is empty`);
};
