/** A queue as the interface shows it (spec 2.7). */
import * as z from 'zod';
import { toLocal } from '../lib/localTime.ts';
import {
  queueCustomButtonFieldNames,
  queueDropdownSettingNames,
  parseStoredQueueSettings,
} from '../rules/voice/queueAgentScreenSettings.ts';
import type { ContactCenterQueueRow } from '../store/reads/voice/queues.ts';
import { countSchema, day } from './shapes.ts';

const assistant = z.object({
  id: countSchema('0: none.'),
  name: z.string().describe('Empty: none.'),
});
const texts = <const Name extends string>(names: readonly Name[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.string()])) as Record<Name, z.ZodString>);
const lists = <const Name extends string>(names: readonly Name[]) =>
  z.object(
    Object.fromEntries(names.map((name) => [name, z.array(z.string())])) as Record<
      Name,
      z.ZodArray<z.ZodString>
    >,
  );

export const queueRecordSchema = z.object({
  queue_id: z.int().describe('Queue id.'),
  name: z.string().describe('Name.'),
  type: z.string().describe('Type, `ch` for chat.'),
  type_description: z.string().describe('Type in words.'),
  description: z.string().describe('Description.'),
  active: z.boolean(),
  created_date: day('Day of its making, YYYY-MM-DD in the account’s time zone.'),
  ai_tutor: assistant.describe('AI that helps the agents.'),
  ai_chatbot: assistant.describe('AI that answers first.'),
  buttons: texts(queueCustomButtonFieldNames).describe('Labels; empty: unused.'),
  dropdowns: lists(queueDropdownSettingNames).describe('Choices.'),
  templates: z.array(z.string()).describe('Ids of templates.'),
});
export type QueueRecord = z.output<typeof queueRecordSchema>;

/** What the types that we know are called; others are called by their code. */
const typeNames: Readonly<Record<string, string>> = { ch: 'Chat' };

/** `zone`: the account's. */
export const formatQueueRecord = (queue: ContactCenterQueueRow, zone: string): QueueRecord => {
  const settings = parseStoredQueueSettings(queue.settings);
  return {
    queue_id: queue.id,
    name: queue.name,
    type: queue.type,
    type_description: settings.typeDescription ?? typeNames[queue.type] ?? queue.type,
    description: queue.description,
    active: queue.active,
    created_date: toLocal(queue.created_at, zone).date,
    ai_tutor: settings.tutor,
    ai_chatbot: settings.chatbot,
    buttons: settings.buttons,
    dropdowns: settings.dropdowns,
    templates: settings.templates,
  };
};
