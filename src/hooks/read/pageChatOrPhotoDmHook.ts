/** What a hook of a PageChat or PhotoDm line tells: messages, deliveries, and how far a person has read. */
import type {
  HookEventWithLineIdentity,
  ChatHookEvent,
  IncomingMessageEvent,
} from '../chatHookEventTypes.ts';
import {
  firstNonEmptyText,
  id,
  type Json,
  toEpochMilliseconds,
  jsonObjectOrEmpty,
  asJsonObjects,
  text,
} from './safeJsonAccess.ts';

export const readPageMessagingHook = (hook: Json): HookEventWithLineIdentity[] =>
  asJsonObjects(hook['entry']).flatMap((entry) => {
    const identity = id(entry['id']);
    const events = [
      ...asJsonObjects(entry['messaging']).flatMap(readItem),
      ...asJsonObjects(entry['changes']).map((change) => other(`change ${text(change['field'])}`)),
      ...asJsonObjects(entry['standby']).map(() => other('standby')),
    ];
    return events.map((event) => ({ identity, event }));
  });

const readItem = (item: Json): ChatHookEvent[] => {
  const contact = id(jsonObjectOrEmpty(item['sender'])['id']);
  const at = toEpochMilliseconds(item['timestamp'], 'milliseconds');
  if (contact === '') return [other('no sender')];
  if ('message' in item) return [readMessage(jsonObjectOrEmpty(item['message']), contact, at)];
  if ('postback' in item) return [readPostback(jsonObjectOrEmpty(item['postback']), contact, at)];
  if ('delivery' in item) return readDelivery(jsonObjectOrEmpty(item['delivery']), contact, at);
  if ('read' in item) return [readRead(jsonObjectOrEmpty(item['read']), contact, at)];
  return [other(Object.keys(item).find((key) => !envelope.has(key)) ?? 'empty')];
};

const envelope: ReadonlySet<string> = new Set(['sender', 'recipient', 'timestamp']);

const readMessage = (message: Json, contact: string, sentAt: number): ChatHookEvent => {
  const upstreamId = id(message['mid']);
  // An echo is what the page itself sent, by us or by a person at its desk.
  if (message['is_echo'] === true) return other('echo');
  if (upstreamId === '' || message['is_deleted'] === true) return other('message withdrawn');
  return {
    what: 'incoming',
    upstreamId,
    contact,
    name: '',
    sentAt,
    related: id(jsonObjectOrEmpty(message['reply_to'])['mid']),
    ...contentOf(message),
    payload: message,
  };
};

const contentOf = (message: Json): Pick<IncomingMessageEvent, 'type' | 'text' | 'data' | 'attachments'> => {
  const words = text(message['text']);
  const payload = text(jsonObjectOrEmpty(message['quick_reply'])['payload']);
  if (payload !== '') return { type: 'button', text: words, data: payload };
  const attachments = asJsonObjects(message['attachments']).map(readAttachment);
  const [one] = attachments;
  if (!one) return { type: words === '' ? 'unsupported' : 'text', text: words, data: words };
  return { ...one, text: words, ...(attachments.length > 1 && { attachments }) };
};

const readAttachment = (attachment: Json): { type: string; data: string } => ({
  type: text(attachment['type']).slice(0, 50) || 'file',
  data: firstNonEmptyText(
    jsonObjectOrEmpty(attachment['payload'])['url'],
    attachment['url'],
    JSON.stringify(attachment),
  ),
});

/** A button of a menu. Older ones have no id of their own, but who and when name one. */
const readPostback = (postback: Json, contact: string, sentAt: number): ChatHookEvent => ({
  what: 'incoming',
  upstreamId: id(postback['mid']) || `postback.${contact}.${sentAt}`,
  contact,
  name: '',
  sentAt,
  related: '',
  type: 'button',
  text: text(postback['title']),
  data: firstNonEmptyText(postback['payload'], postback['title']),
  payload: postback,
});

/** Names the messages, or, in older hooks, only up to when. */
const readDelivery = (delivery: Json, contact: string, at: number): ChatHookEvent[] => {
  const mids = Array.isArray(delivery['mids']) ? delivery['mids'].map(id).filter(Boolean) : [];
  const until = toEpochMilliseconds(delivery['watermark'], 'milliseconds');
  const occurredAt = until || at;
  if (mids.length > 0) return mids.map((mid) => receipt('delivered', mid, contact, occurredAt));
  return until === 0
    ? [other('delivery of nothing')]
    : [{ what: 'upTo', status: 'delivered', contact, until, occurredAt }];
};

const readRead = (read: Json, contact: string, at: number): ChatHookEvent => {
  const mid = id(read['mid']);
  const until = toEpochMilliseconds(read['watermark'], 'milliseconds');
  if (mid !== '') return receipt('read', mid, contact, at);
  return until === 0
    ? other('read of nothing')
    : { what: 'upTo', status: 'read', contact, until, occurredAt: at || until };
};

const receipt = (
  status: 'delivered' | 'read',
  providerId: string,
  contact: string,
  occurredAt: number,
): ChatHookEvent => ({ what: 'receipt', status, providerId, reference: '', contact, occurredAt });

const other = (type: string) => ({ what: 'other', type: type.slice(0, 50) }) as const;
