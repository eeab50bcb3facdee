/** A message from a person to a Msgapp line. */
import type { ChatHookEvent, IncomingMessageEvent } from '../chatHookEventTypes.ts';
import {
  firstNonEmptyText,
  id,
  type Json,
  toEpochMilliseconds,
  jsonObjectOrEmpty,
  asJsonObjects,
  truncateSentence,
  text,
} from './safeJsonAccess.ts';

type Content = Pick<IncomingMessageEvent, 'type' | 'text' | 'data' | 'file'>;

/** `names`: what people call themselves, by their ids. */
export const readIncomingMsgappMessage = (
  message: Json,
  names: ReadonlyMap<string, string>,
): ChatHookEvent => {
  const upstreamId = id(message['id']);
  const contact = id(message['from']);
  const type = text(message['type']).slice(0, 50);
  // `system` is the upstream's own notice, not a person's message.
  if (upstreamId === '' || contact === '' || type === 'system')
    return { what: 'other', type: `message ${type}` };
  return {
    what: 'incoming',
    upstreamId,
    contact,
    name: names.get(contact) ?? '',
    sentAt: toEpochMilliseconds(message['timestamp'], 'seconds'),
    related: id(jsonObjectOrEmpty(message['context'])['id']),
    ...(type === 'contacts' ? cards(message[type]) : contentOf(type, jsonObjectOrEmpty(message[type]))),
    payload: message,
  };
};

const contentOf = (type: string, content: Json): Content => {
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  return read ? read(content) : { type, text: '', data: JSON.stringify(content) };
};

/** Cards of people: a list, where every other content is one object. Whose they are is their text. */
const cards = (content: unknown): Content => {
  const names = asJsonObjects(content).map(({ name }) => text(jsonObjectOrEmpty(name)['formatted_name']));
  const data = JSON.stringify(Array.isArray(content) ? content : []);
  return { type: 'contacts', text: truncateSentence(names.filter(Boolean).join(', ')), data };
};

const file =
  (type: string) =>
  (content: Json): Content => ({
    type,
    text: text(content['caption']),
    data: firstNonEmptyText(content['url'], content['link'], content['id']),
    file: { mimeType: text(content['mime_type']), name: text(content['filename']) },
  });

const readers: Readonly<Record<string, (content: Json) => Content>> = {
  text: ({ body }) => ({ type: 'text', text: text(body), data: text(body) }),
  image: file('image'),
  video: file('video'),
  audio: file('audio'),
  sticker: file('sticker'),
  document: file('file'),
  /** A quick reply of a template. */
  button: ({ text: shown, payload }) => ({
    type: 'button',
    text: text(shown),
    data: firstNonEmptyText(payload, shown),
  }),
  /** A button or a row of a list that was chosen; forms and the rest as they are. */
  interactive: (content) => {
    const chosen = jsonObjectOrEmpty(content['button_reply'] ?? content['list_reply']);
    return text(chosen['id']) === ''
      ? { type: 'interactive', text: '', data: JSON.stringify(content) }
      : { type: 'button', text: text(chosen['title']), data: text(chosen['id']) };
  },
  reaction: (content) => ({ type: 'reaction', text: text(content['emoji']), data: JSON.stringify(content) }),
};
