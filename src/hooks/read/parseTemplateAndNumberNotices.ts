/** What the upstream of Msgapp says of templates and numbers by itself: a category, a quality, how much may be sent. */
import type { ChatHookEvent } from '../chatHookEventTypes.ts';
import { firstNonEmptyText, id, type Json, text, word } from './safeJsonAccess.ts';

/** `business`: id of the business account that the hook is about; empty: it names none. */
type Reader = (value: Json, at: number, business: string) => ChatHookEvent | undefined;

/** The notice, by the field that it is told under; undefined: it is none of these, or says nothing. */
export const readMsgappNotice = (field: string, ...told: Parameters<Reader>): ChatHookEvent | undefined =>
  Object.hasOwn(readers, field) ? readers[field]!(...told) : undefined;

const template =
  (trait: 'category' | 'quality', key: string): Reader =>
  (value, occurredAt) => {
    const upstreamId = id(value['message_template_id']);
    const said = word(value[key]);
    if (upstreamId === '' || said === '') return undefined;
    return { what: 'templateNotice', upstreamId, trait, word: said, occurredAt };
  };

const number: Reader = (value, occurredAt) => {
  const digits = id(text(value['display_phone_number']).replaceAll(/\D/g, ''));
  const quality = word(value['event']);
  const messagingLimit = word(
    firstNonEmptyText(value['current_limit'], value['max_daily_conversations_per_business']),
  );
  if (digits === '' || quality + messagingLimit === '') return undefined;
  return { what: 'lineNotice', of: { number: digits }, quality, messagingLimit, occurredAt };
};

/** Of all numbers of a business account. */
const capability: Reader = (value, occurredAt, business) => {
  const limits = [value['max_daily_conversations_per_business'], value['max_daily_conversation_per_phone']];
  const messagingLimit = word(firstNonEmptyText(...limits));
  if (business === '' || messagingLimit === '') return undefined;
  return { what: 'lineNotice', of: { business }, quality: '', messagingLimit, occurredAt };
};

const readers: Readonly<Record<string, Reader>> = {
  // One that names `correct_category` as well is a warning: the upstream has not changed it yet.
  template_category_update: template('category', 'new_category'),
  message_template_quality_update: template('quality', 'new_quality_score'),
  phone_number_quality_update: number,
  business_capability_update: capability,
};
