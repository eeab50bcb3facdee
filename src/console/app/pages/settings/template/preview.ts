/** What a phone shows of a template: its gaps filled with their examples, its marks as letters are set. Pure. */
import { examplesOfPart, isObject, readJson } from './examples.ts';

export interface TemplatePreviewInput {
  headerType: string;
  headerText: string;
  bodyText: string;
  footerText: string;
  /** JSON. */
  examples: string;
  buttonType: string;
  /** JSON. */
  buttons: string;
}

/** A run of letters. */
export interface Run {
  text: string;
  style: 'plain' | 'bold' | 'italic' | 'struck' | 'mono' | 'gap';
}

export interface PhonePreview {
  header: { kind: 'none' } | { kind: 'text'; runs: readonly Run[] } | { kind: 'media'; format: string };
  body: readonly Run[];
  footer: string;
  buttons: readonly string[];
}

export const templateToPhonePreview = (parts: TemplatePreviewInput): PhonePreview => {
  const examples = readJson(parts.examples);
  return {
    header: headerOf(parts, examples),
    body: runsOf(parts.bodyText, examplesOfPart(examples, 'body_text')),
    footer: parts.footerText,
    buttons: buttonsOf(parts),
  };
};

const headerOf = (
  { headerType, headerText }: TemplatePreviewInput,
  examples: unknown,
): PhonePreview['header'] => {
  const format = headerType.trim().toUpperCase();
  if (format === '' || format === 'NONE') return { kind: 'none' };
  if (format !== 'TEXT') return { kind: 'media', format };
  return { kind: 'text', runs: runsOf(headerText, examplesOfPart(examples, 'header_text')) };
};

const marks: Readonly<Record<string, Run['style']>> = {
  '*': 'bold',
  _: 'italic',
  '~': 'struck',
  '```': 'mono',
};
const marked = /(```|[*_~])(?=\S)((?:(?!\1)[\s\S])*?\S)\1/g;
const gap = /\{\{\s*(\d+|[a-z_][a-z0-9_]*)\s*\}\}/gi;

/** Text as it is set: `*bold*`, `_italic_`, `~struck~`, and gaps with what stands in them. */
const runsOf = (text: string, examples: readonly string[]): Run[] => {
  const runs: Run[] = [];
  let from = 0;
  for (const { 0: whole, 1: mark = '', 2: within = '', index } of text.matchAll(marked)) {
    runs.push(...filled(text.slice(from, index), 'plain', examples));
    runs.push(...filled(within, marks[mark] ?? 'plain', examples));
    from = index + whole.length;
  }
  runs.push(...filled(text.slice(from), 'plain', examples));
  return runs.filter((run) => run.text !== '');
};

/** A gap with an example is its text; one without stays, as a gap. */
const filled = (text: string, style: Run['style'], examples: readonly string[]): Run[] => {
  const runs: Run[] = [];
  let from = 0;
  for (const { 0: whole, 1: name = '', index } of text.matchAll(gap)) {
    const example = examples[Number(name) - 1];
    runs.push({ text: text.slice(from, index), style });
    runs.push(
      example === undefined || example === '' ? { text: whole, style: 'gap' } : { text: example, style },
    );
    from = index + whole.length;
  }
  runs.push({ text: text.slice(from), style });
  return runs;
};

/** What stands on the buttons. */
const buttonsOf = ({ buttonType, buttons }: TemplatePreviewInput): string[] => {
  const usual = buttonType.trim().toUpperCase();
  if (usual === '' || usual === 'NONE') return [];
  const config = readJson(buttons);
  const list: unknown[] = Array.isArray(config)
    ? config
    : isObject(config) && Array.isArray(config['buttons'])
      ? (config['buttons'] as unknown[])
      : [config];
  return list
    .filter(isObject)
    .map(({ text, type }) => (typeof text === 'string' ? text : typeof type === 'string' ? type : usual));
};
