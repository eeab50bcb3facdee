/** What a hook of a Msgapp line tells: statuses, messages, and what was said of templates. */
import type { Receipt } from '../../../machines/vocabulary/message.ts';
import type { Heard, HookEvent, ReceiptEvent } from '../events.ts';
import { first, id, type Json, moment, object, objects, sentence, text } from './look.ts';
import { readMsgappMessage } from './msgappMessage.ts';

export const readMsgapp = (hook: Json): Heard[] =>
  objects(hook['entry']).flatMap((entry) => {
    const at = moment(entry['time'], 'seconds');
    return objects(entry['changes']).flatMap((change) => readChange(change, at));
  });

const readChange = (change: Json, at: number): Heard[] => {
  const value = object(change['value']);
  const field = text(change['field']);
  if (field === 'message_template_status_update') return [{ identity: '', event: readTemplate(value, at) }];
  if (field !== 'messages') return [{ identity: '', event: other(field) }];
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
  const word = text(status['status']);
  const receipt = Object.hasOwn(receipts, word) ? receipts[word] : undefined;
  const providerId = id(status['id']);
  if (!receipt || providerId === '') return other(`status ${word}`);
  return {
    what: 'receipt',
    status: receipt,
    providerId,
    reference: id(status['biz_opaque_callback_data']),
    contact: id(status['recipient_id']),
    occurredAt: moment(status['timestamp'], 'seconds'),
    ...(receipt === 'failed' && whyOf(objects(status['errors'])[0] ?? {})),
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
