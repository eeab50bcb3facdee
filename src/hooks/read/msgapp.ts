/** What a hook of a Msgapp line tells: statuses, messages, and what was said of templates. */
import type { Pricing, Receipt } from '../../../machines/contracts/message.ts';
import type { AddressedEvent, HookEvent, ReceiptEvent } from '../events.ts';
import { first, id, type Json, moment, object, objects, sentence, text, word } from './look.ts';
import { readMsgappMessage } from './msgappMessage.ts';
import { readNotice } from './notices.ts';

export const readMsgapp = (hook: Json): AddressedEvent[] =>
  objects(hook['entry']).flatMap((entry) => {
    const at = moment(entry['time'], 'seconds');
    const business = id(entry['id']);
    return objects(entry['changes']).flatMap((change) => readChange(change, at, business));
  });

const readChange = (change: Json, at: number, business: string): AddressedEvent[] => {
  const value = object(change['value']);
  const field = text(change['field']);
  if (field === 'message_template_status_update') return [{ identity: '', event: readTemplate(value, at) }];
  if (field !== 'messages')
    return [{ identity: '', event: readNotice(field, value, at, business) ?? other(field) }];
  const identity = id(object(value['metadata'])['phone_number_id']);
  const names = namesIn(value);
  const events = [
    ...objects(value['messages']).map((message) => readMsgappMessage(message, names)),
    ...objects(value['statuses']).map(readStatus),
    ...objects(value['errors']).map(() => other('errors')),
  ];
  return events.map((event) => ({ identity, event }));
};

/** What people call themselves, by their ids. */
const namesIn = (value: Json): ReadonlyMap<string, string> =>
  new Map(
    objects(value['contacts']).map((contact) => [
      text(contact['wa_id']),
      text(object(contact['profile'])['name']),
    ]),
  );

/** The upstream's words for how far a message came. Who plays a voice message has heard it. */
const receipts: Readonly<Record<string, Receipt>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'failed',
};

const readStatus = (status: Json): HookEvent => {
  const said = text(status['status']);
  const receipt = Object.hasOwn(receipts, said) ? receipts[said] : undefined;
  const providerId = id(status['id']);
  const pricing = pricingOf(object(status['pricing']));
  if (!receipt || providerId === '') return other(`status ${said}`);
  return {
    what: 'receipt',
    status: receipt,
    providerId,
    reference: id(status['biz_opaque_callback_data']),
    contact: id(status['recipient_id']),
    occurredAt: moment(status['timestamp'], 'seconds'),
    ...(pricing && { pricing }),
    ...(receipt === 'failed' && whyOf(objects(status['errors'])[0] ?? {})),
  };
};

/** What the upstream counts a message as, in its own words. */
const pricingOf = (given: Json): Pricing | undefined => {
  if (Object.keys(given).length === 0) return undefined;
  const { billable } = given;
  return {
    billable: typeof billable === 'boolean' ? billable : null,
    model: word(given['pricing_model']),
    category: word(given['category']),
    type: word(given['type']),
  };
};

const whyOf = (error: Json): Pick<ReceiptEvent, 'code' | 'text'> => ({
  code: text(error['code']).slice(0, 20),
  text: sentence(first(object(error['error_data'])['details'], error['title'], error['message'])),
});

const readTemplate = (value: Json, occurredAt: number): HookEvent => {
  const upstreamId = id(value['message_template_id']);
  const status = text(value['event']).slice(0, 50);
  if (upstreamId === '' || status === '') return other('message_template_status_update');
  const reason = sentence(value['reason']);
  return { what: 'template', upstreamId, status, reason: reason === 'NONE' ? '' : reason, occurredAt };
};

const other = (type: string) => ({ what: 'other', type: type.slice(0, 50) }) as const;
