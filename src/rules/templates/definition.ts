/** What a template must say before it can be submitted, and why it cannot (spec 4.16, section 7). */
import type { TemplateDefinition } from '../../../machines/contracts/template.ts';

/** Why a template cannot be submitted; the operation has a code for each. */
export type TemplateFaultCode =
  | 'noName'
  | 'noCategory'
  | 'noLanguage'
  | 'noBody'
  | 'notEncodable'
  | 'noExamples'
  | 'examplesNotJson'
  | 'tooFewExamples'
  | 'emptyExample';

/** Thrown where the payload is built. */
export class TemplateFault extends Error {
  readonly fault: TemplateFaultCode;
  constructor(fault: TemplateFaultCode, message: string) {
    super(message);
    this.name = 'TemplateFault';
    this.fault = fault;
  }
}

const required = [
  ['name', 'noName', 'cwt_name is empty'],
  ['category', 'noCategory', 'cwt_category is empty'],
  ['language', 'noLanguage', 'cwt_language is empty'],
  ['bodyText', 'noBody', 'cwt_body_text is empty'],
] as const;

/** Throws a `TemplateFault` for the first required field that is empty. */
export const checkRequiredTemplateFields = (definition: TemplateDefinition): void => {
  for (const [field, fault, sentence] of required)
    if (definition[field].trim() === '') throw new TemplateFault(fault, sentence);
};
