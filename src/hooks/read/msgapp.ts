/** What a hook of a Msgapp line tells: statuses, messages, and what was said of templates. */
import type { UpstreamChatPricing, MessageReceiptStatus } from '../../../machines/contracts/message.ts';
import type { HookEventWithLineIdentity, ChatHookEvent, MessageReceiptEvent } from '../chatHookEventTypes.ts';
import {
  firstNonEmptyText,
  id,
  type Json,
  toEpochMilliseconds,
  jsonObjectOrEmpty,
  asJsonObjects,
  truncateSentence,
  text,
  word,
} from './safeJsonAccess.ts';
import { readIncomingMsgappMessage } from './msgappMessage.ts';
import { readMsgappNotice } from './parseTemplateAndNumberNotices.ts';

export const readMsgappHook = (hook: Json): HookEventWithLineIdentity[] =>
  asJsonObjects(hook['entry']).flatMap((entry) => {
    const at = toEpochMilliseconds(entry['time'], 'seconds');
    const business = id(entry['id']);
    return asJsonObjects(entry['changes']).flatMap((change) => readChange(change, at, business));
  });

const readChange = (change: Json, at: number, business: string): HookEventWithLineIdentity[] => {
  const value = jsonObjectOrEmpty(change['value']);
  const field = text(change['field']);
  if (field === 'message_template_status_update') return [{ identity: '', event: readTemplate(value, at) }];
  if (field !== 'messages')
    return [{ identity: '', event: readMsgappNotice(field, value, at, business) ?? other(field) }];
  const identity = id(jsonObjectOrEmpty(value['metadata'])['phone_number_id']);
  const names = namesIn(value);
  const events = [
    ...asJsonObjects(value['messages']).map((message) => readIncomingMsgappMessage(message, names)),
    ...asJsonObjects(value['statuses']).map(readStatus),
    ...asJsonObjects(value['errors']).map(() => other('errors')),
  ];
  return events.map((event) => ({ identity, event }));
};

/** What people call themselves, by their ids. */
const namesIn = (value: Json): ReadonlyMap<string, string> =>
  new Map(
    asJsonObjects(value['contacts']).map((contact) => [
      text(contact['wa_id']),
      text(jsonObjectOrEmpty(contact['profile'])['name']),
    ]),
  );

/** The upstream's words for how far a message came. Who plays a voice message has heard it. */
const receipts: Readonly<Record<string, MessageReceiptStatus>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'failed',
};

const readStatus = (status: Json): ChatHookEvent => {
  const said = text(status['status']);
  const receipt = Object.hasOwn(receipts, said) ? receipts[said] : undefined;
  const providerId = id(status['id']);
  const pricing = pricingOf(jsonObjectOrEmpty(status['pricing']));
  if (!receipt || providerId === '') return other(`status ${said}`);
  return {
    what: 'receipt',
    status: receipt,
    providerId,
    reference: id(status['biz_opaque_callback_data']),
    contact: id(status['recipient_id']),
    occurredAt: toEpochMilliseconds(status['timestamp'], 'seconds'),
    ...(pricing && { pricing }),
    ...(receipt === 'failed' && whyOf(asJsonObjects(status['errors'])[0] ?? {})),
  };
};

/** What the upstream counts a message as, in its own words. */
const pricingOf = (given: Json): UpstreamChatPricing | undefined => {
  if (Object.keys(given).length === 0) return undefined;
  const { billable } = given;
  return {
    billable: typeof billable === 'boolean' ? billable : null,
    model: word(given['pricing_model']),
    category: word(given['category']),
    type: word(given['type']),
  };
};

const whyOf = (error: Json): Pick<MessageReceiptEvent, 'code' | 'text'> => ({
  code: text(error['code']).slice(0, 20),
  text: truncateSentence(
    firstNonEmptyText(jsonObjectOrEmpty(error['error_data'])['details'], error['title'], error['message']),
  ),
});

const readTemplate = (value: Json, occurredAt: number): ChatHookEvent => {
  const upstreamId = id(value['message_template_id']);
  const status = text(value['event']).slice(0, 50);
  if (upstreamId === '' || status === '') return other('message_template_status_update');
  const reason = truncateSentence(value['reason']);
  return { what: 'template', upstreamId, status, reason: reason === 'NONE' ? '' : reason, occurredAt };
};

const other = (type: string) => ({ what: 'other', type: type.slice(0, 50) }) as const;
