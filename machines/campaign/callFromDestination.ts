/** From a record to its call: what all calls have in common, and what is this one's own. */
import { collectPromptTexts } from '../call/prompts.ts';
import type { CallInput, PromptSource } from '../call/input.ts';
import type { DestinationToCall } from '../contracts/campaign.ts';
import type { CampaignContext } from './context.ts';
import type { CallTemplate, ListRecordColumn } from './input.ts';

/** The texts that are filled in for each record, always in the same order: what is spoken, then the SMS that follows. */
export const collectCallTemplateTexts = (call: CallTemplate): string[] => [
  ...collectPromptTexts(call).map(({ text }) => text),
  ...(call.sms ? [call.sms.text] : []),
];

/** Calls that speak make their audio before they ask for a grant. */
export const hasSpokenText = (call: CallTemplate): boolean => collectPromptTexts(call).length > 0;

/** The input of a destination's call. */
export const buildCampaignCallInput = (
  { id, plan, definition }: CampaignContext,
  found: DestinationToCall,
  at: number,
): CallInput => {
  const { compare, callback, ...template } = definition.call;
  const [destination = '', ...alternatives] = found.numbers;
  return {
    ...template,
    prompts: hasSpokenText(definition.call) ? filled(definition.call, found.texts) : template.prompts,
    ...(template.sms && { sms: smsOf(definition.call, template.sms, found.texts) }),
    ...(compare && { validation: validationOf(compare, found) }),
    priority: plan.priority,
    requestedAt: at,
    destination,
    ...(alternatives.length > 0 && { alternatives }),
    campaign: { id, row: found.row, region: found.region, granted: !hasSpokenText(definition.call) },
    placeholders: found.placeholders,
    ...(callback && found.delivery && { callback: { ...callback, delivery: found.delivery } }),
  };
};

/** It comes after what is spoken. */
const smsOf = (
  call: CallTemplate,
  sms: NonNullable<CallTemplate['sms']>,
  texts: readonly string[],
): NonNullable<CallInput['sms']> => ({ ...sms, text: texts[collectPromptTexts(call).length] ?? sms.text });

/** cp_type 6: the value that must be typed stands in a column of the record. */
const validationOf = (
  { column, confirm, digits }: NonNullable<CallTemplate['compare']>,
  { placeholders }: DestinationToCall,
): NonNullable<CallInput['validation']> => ({
  confirm,
  digits,
  expected: placeholders[placeholderOf(column)] ?? '',
});

const placeholderOf = (column: ListRecordColumn): string => (column === 'name' ? 'nome' : column);

type Prompts = CallInput['prompts'];

/** The prompts with their texts filled in. */
const filled = (call: CallTemplate, texts: readonly string[]): Prompts => {
  const sources = collectPromptTexts(call);
  const fill = <Source extends PromptSource | undefined>(source: Source): Source => {
    if (!source || !('text' in source)) return source;
    const index = sources.findIndex(({ text, voice }) => text === source.text && voice === source.voice);
    return { ...source, text: texts[index] ?? source.text };
  };
  const { opening, slots, validate, ...single } = call.prompts;
  return {
    opening: opening.map(fill),
    slots: eachFilled(slots, fill),
    ...eachFilled(single, fill),
    ...(validate && { validate: eachFilled(validate, fill) }),
  };
};

const eachFilled = <Sources extends object>(
  sources: Sources,
  fill: (source: PromptSource | undefined) => PromptSource | undefined,
): Sources =>
  Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [name, fill(source as PromptSource | undefined)]),
  ) as Sources;
