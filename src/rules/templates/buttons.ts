/** Buttons of a template, from JSON text to what upstream wants (spec 2.5.1 `cwt_button_type`, `cwt_button_config`). */
import { TemplateFault } from './definition.ts';
import { highestTemplatePlaceholder, trimPlaceholderSpaces } from './placeholders.ts';

export type TemplateButton = Readonly<Record<string, unknown>> & { type: string };

export interface ParsedTemplateButtons {
  buttons: TemplateButton[];
  /** What an authentication template says beside its buttons. */
  beside: Readonly<Record<string, unknown>>;
}

/** Keys that upstream knows of each type; it refuses others. A type that is not here is passed as it stands. */
const keys: Readonly<Record<string, readonly string[]>> = {
  URL: ['text', 'url', 'example'],
  QUICK_REPLY: ['text'],
  PHONE_NUMBER: ['text', 'phone_number'],
  COPY_CODE: ['example'],
  OTP: ['otp_type', 'text', 'autofill_text', 'package_name', 'signature_hash', 'supported_apps'],
};

/** The JSON is a list of buttons, `{"buttons": […]}`, or one button. Those that name no type have the template's. */
export const readTemplateButtons = (type: string, config: string): ParsedTemplateButtons => {
  const usual = type.trim().toUpperCase();
  if (usual === '' || usual === 'NONE' || config.trim() === '') return { buttons: [], beside: {} };
  const { list, beside } = listed(read(config));
  return { buttons: list.map((one, nth) => buttonOf(one, usual, nth + 1)), beside };
};

const read = (config: string): unknown => {
  try {
    return JSON.parse(config) as unknown;
  } catch {
    throw new TemplateFault('notEncodable', 'cwt_button_config is not JSON');
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listed = (value: unknown): { list: unknown[]; beside: Record<string, unknown> } => {
  if (Array.isArray(value)) return { list: value, beside: {} };
  if (!isObject(value)) throw new TemplateFault('notEncodable', 'cwt_button_config must hold buttons');
  const { buttons, ...beside } = value;
  return Array.isArray(buttons) ? { list: buttons, beside } : { list: [value], beside: {} };
};

const buttonOf = (value: unknown, usual: string, nth: number): TemplateButton => {
  if (!isObject(value))
    throw new TemplateFault('notEncodable', `button ${nth} of cwt_button_config is no object`);
  const { type: given, ...rest } = value;
  const type = typeof given === 'string' && given !== '' ? given.toUpperCase() : usual;
  const allowed = keys[type];
  if (!allowed) return { type, ...rest };
  const button = {
    type,
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => allowed.includes(key))),
  };
  return type === 'URL' ? withExample(button, nth) : button;
};

/** Upstream wants a whole address as the example of one that ends in `{{1}}`. */
const withExample = (button: TemplateButton, nth: number): TemplateButton => {
  const { example, ...rest } = button;
  const url = typeof rest['url'] === 'string' ? rest['url'] : '';
  if (highestTemplatePlaceholder(url) === 0) return rest;
  const given: unknown = Array.isArray(example) ? example[0] : example;
  if (given === undefined || given === null)
    throw new TemplateFault('tooFewExamples', `the url of button ${nth} has a placeholder, and no example`);
  const text = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
  if (text === '')
    throw new TemplateFault('emptyExample', `the example of the url of button ${nth} is empty`);
  const whole = /^https?:\/\//i.test(text) ? text : url.replace(/\{\{\s*1\s*\}\}/, () => text);
  return { ...rest, url: trimPlaceholderSpaces(url), example: [whole] };
};
