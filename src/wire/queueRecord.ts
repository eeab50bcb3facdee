/** A queue as the interface shows it (spec 2.7). */
import { toLocal } from '../rules/localTime.ts';
import { type QueueSettings, readQueueSettings } from '../rules/queueSettings.ts';
import type { QueueRow } from '../store/reads/queues.ts';

export interface QueueRecord {
  queue_id: number;
  name: string;
  type: string;
  type_description: string;
  description: string;
  active: boolean;
  /** YYYY-MM-DD in the account's time zone. */
  created_date: string;
  ai_tutor: { id: number; name: string };
  ai_chatbot: { id: number; name: string };
  buttons: QueueSettings['buttons'];
  dropdowns: QueueSettings['dropdowns'];
  templates: string[];
}

/** What the types that we know are called; others are called by their code. */
const typeNames: Readonly<Record<string, string>> = { ch: 'Chat' };

/** `zone`: the account's. */
export const writeQueueRecord = (queue: QueueRow, zone: string): QueueRecord => {
  const settings = readQueueSettings(queue.settings);
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
