/** From a stored template to what upstream wants of it (spec 4.16). */
import type { TemplateDefinition } from '../../../machines/contracts/template.ts';
import { findUnstorableCharacter } from '../../lib/clientTextEncoding.ts';
import { readTemplateButtons } from './buttons.ts';
import { checkRequiredTemplateFields, TemplateFault } from './definition.ts';
import {
  type TemplateExamples,
  readTemplateExamples,
  highestTemplatePlaceholder,
  trimPlaceholderSpaces,
} from './placeholders.ts';

export type TemplateComponent = Readonly<Record<string, unknown>> & { type: string };

export interface TemplatePayload {
  name: string;
  category: string;
  language: string;
  components: TemplateComponent[];
}

/** Both versions as JSON text (spec 2.5.1 `cwt_meta_json`, `cwt_meta_json_with_urls`). */
export interface TemplatePayloadJson {
  json: string;
  jsonWithUrls: string;
}

/**
 * The payload, and a copy with the public address of the media in the place of its upload handle. Throws a
 * `TemplateFault`.
 */
export const buildTemplateSubmissionJson = (
  definition: TemplateDefinition,
  mediaUrl: string | undefined,
): TemplatePayloadJson => {
  checkRequiredTemplateFields(definition);
  const payload = buildTemplateSubmissionPayload(definition);
  const copy = mediaUrl === undefined ? payload : withMediaUrl(payload, mediaUrl);
  return { json: encoded(payload), jsonWithUrls: encoded(copy) };
};

/** What JSON of the row may hide in escapes, NUL and halves of characters, is no text for upstream. */
const encoded = (payload: TemplatePayload): string => {
  const json = JSON.stringify(payload, (_key, value: unknown) => {
    if (typeof value === 'string' && findUnstorableCharacter(value) !== undefined) throw notEncodable();
    return value;
  });
  if (Buffer.byteLength(json) > LARGEST_BYTES) throw notEncodable();
  return json;
};

const notEncodable = (): TemplateFault =>
  new TemplateFault('notEncodable', 'the payload cannot be written as JSON');

const LARGEST_BYTES = 256 * 1024;

const CATEGORIES = ['AUTHENTICATION', 'MARKETING', 'UTILITY'];

/** What is posted. */
export const buildTemplateSubmissionPayload = (definition: TemplateDefinition): TemplatePayload => {
  const { name, language } = definition;
  const category = categoryOf(definition.category);
  const components = category === 'AUTHENTICATION' ? codeParts(definition) : parts(definition);
  return { name: name.trim(), category, language: language.trim(), components };
};

/** Upstream knows its categories in capitals; others are kept as they came. */
const categoryOf = (written: string): string => {
  const word = written.trim();
  return CATEGORIES.includes(word.toUpperCase()) ? word.toUpperCase() : word;
};

const parts = (definition: TemplateDefinition): TemplateComponent[] => {
  const examples = readTemplateExamples(definition.variablesExamples);
  return [
    ...header(definition, examples),
    body(definition, examples),
    ...footer(definition),
    ...buttons(definition),
  ];
};

const header = (
  { headerType, headerText }: TemplateDefinition,
  examples: TemplateExamples,
): TemplateComponent[] => {
  const text = trimPlaceholderSpaces(headerText);
  const format = headerType.trim().toUpperCase();
  if (format === '' || format === 'NONE') return [];
  if (format === 'LOCATION') return [{ type: 'HEADER', format }];
  if (format !== 'TEXT') return [{ type: 'HEADER', format, example: { header_handle: [text.trim()] } }];
  if (text.trim() === '') return [];
  const values = examples.for('header_text', highestTemplatePlaceholder(text));
  return [{ type: 'HEADER', format, text, ...(values.length > 0 && { example: { header_text: values } }) }];
};

const body = ({ bodyText }: TemplateDefinition, examples: TemplateExamples): TemplateComponent => {
  const text = trimPlaceholderSpaces(bodyText);
  const values = examples.for('body_text', highestTemplatePlaceholder(text));
  return { type: 'BODY', text, ...(values.length > 0 && { example: { body_text: [values] } }) };
};

const footer = ({ footerText: text }: TemplateDefinition): TemplateComponent[] =>
  text.trim() === '' ? [] : [{ type: 'FOOTER', text }];

const buttons = ({ buttonType, buttonConfig }: TemplateDefinition): TemplateComponent[] => {
  const { buttons: list } = readTemplateButtons(buttonType, buttonConfig);
  return list.length === 0 ? [] : [{ type: 'BUTTONS', buttons: list }];
};

/**
 * A code's text is upstream's own: the body says whether it warns, the footer how many minutes the code lives. Both
 * may stand beside the buttons; the minutes else are the number in the footer's text.
 */
const codeParts = ({ footerText, buttonType, buttonConfig }: TemplateDefinition): TemplateComponent[] => {
  const { buttons: list, beside } = readTemplateButtons(buttonType, buttonConfig);
  const warns = beside['add_security_recommendation'] !== false;
  const minutes = Number(beside['code_expiration_minutes'] ?? /\d{1,3}/.exec(footerText)?.[0] ?? 0);
  return [
    { type: 'BODY', add_security_recommendation: warns },
    ...(minutes > 0 ? [{ type: 'FOOTER', code_expiration_minutes: minutes }] : []),
    { type: 'BUTTONS', buttons: list.length > 0 ? list : [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
  ];
};

const withMediaUrl = (payload: TemplatePayload, url: string): TemplatePayload => ({
  ...payload,
  components: payload.components.map((part) => {
    const { example } = part;
    const media = typeof example === 'object' && example !== null && 'header_handle' in example;
    return media ? { ...part, example: { header_handle: [url] } } : part;
  }),
});
